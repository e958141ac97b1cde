import { CircleAlert, CircleCheck, X } from 'lucide-react'
import {
  UNSTABLE_Toast as Toast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as ToastRegion,
  Text,
} from 'react-aria-components'
import { useWords } from '../../i18n/language.tsx'
import { IconButton } from '../layout/button.tsx'

interface Message {
  readonly text: string
  readonly tone: 'success' | 'danger'
}

/** Long enough to read two lines; React Aria stops the clock while the message is pointed at or has the focus. */
const SHOWN_MS = 8_000

const queue = new ToastQueue<Message>({ maxVisibleToasts: 3 })

/** Shows in a corner that an action is done. Faults of a form belong beside the form instead. */
export function sayDone(text: string): void {
  queue.add({ text, tone: 'success' }, { timeout: SHOWN_MS })
}

/** Shows that an action in the background failed. The message stays until the person closes it. */
export function sayFailed(text: string): void {
  queue.add({ text, tone: 'danger' })
}

/** Shows the messages, which screen readers read out. Rendered once, by the frame. */
export function Toasts() {
  const { toasts } = useWords()
  return (
    <ToastRegion queue={queue} className="toasts" aria-label={toasts.region}>
      {({ toast }) => (
        <Toast toast={toast} className={`toast toast-${toast.content.tone}`}>
          {toast.content.tone === 'success' ? (
            <CircleCheck className="icon" size={18} aria-hidden />
          ) : (
            <CircleAlert className="icon" size={18} aria-hidden />
          )}
          <ToastContent className="toast-content">
            <Text slot="title">{toast.content.text}</Text>
          </ToastContent>
          <IconButton slot="close" icon={X} label={toasts.close} size="small" />
        </Toast>
      )}
    </ToastRegion>
  )
}

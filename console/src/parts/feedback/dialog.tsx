import { X } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { useWords } from '../../i18n/language.tsx'
import { Button, IconButton } from '../layout/button.tsx'
import { useUnsavedContent } from './use-unsaved-content.ts'

/**
 * Shows a modal dialog, open while it is rendered. The focus stays inside and returns afterwards. Escape and the cross
 * call `onClose`, unless `isBusy`; with typed text in the dialog they ask first. Without `onClose` only the dialog's
 * own buttons end it.
 */
export function Dialog(props: {
  readonly title: string
  readonly onClose?: () => void
  readonly isBusy?: boolean
  readonly isWide?: boolean
  /** Whether the dialog is a question that needs an answer before anything else. */
  readonly isAlert?: boolean
  readonly children: ReactNode
}) {
  const { title, onClose, isBusy = false, isWide = false, isAlert = false } = props
  const words = useWords()
  const dialog = useRef<HTMLElement>(null)
  const isTyped = useUnsavedContent(dialog)
  const [isAsking, setAsking] = useState(false)
  const mayClose = onClose !== undefined && !isBusy
  const close = (): void => {
    if (isTyped()) setAsking(true)
    else onClose?.()
  }
  return (
    <ModalOverlay
      className="overlay"
      isOpen
      isDismissable={false}
      isKeyboardDismissDisabled={!mayClose}
      onOpenChange={(isOpen) => {
        if (!isOpen && mayClose) close()
      }}
    >
      <Modal className={isWide ? 'modal modal-wide' : 'modal'}>
        <AriaDialog ref={dialog} className="dialog" role={isAlert ? 'alertdialog' : 'dialog'}>
          <div className="dialog-head">
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            {onClose === undefined ? null : (
              <IconButton icon={X} label={words.close} size="small" isDisabled={isBusy} onPress={close} />
            )}
          </div>
          {props.children}
          {isAsking && onClose !== undefined ? (
            <DiscardQuestion onKeep={() => setAsking(false)} onDiscard={onClose} />
          ) : null}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}

function DiscardQuestion({ onKeep, onDiscard }: { readonly onKeep: () => void; readonly onDiscard: () => void }) {
  const { unsaved } = useWords()
  return (
    <Dialog title={unsaved.discardTitle} onClose={onKeep} isAlert>
      <p className="dialog-text">{unsaved.discardText}</p>
      <div className="dialog-actions">
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- a dialog takes the focus anyway, and here it does no harm */}
        <Button onPress={onKeep} autoFocus>
          {unsaved.keepWriting}
        </Button>
        <Button kind="danger" onPress={onDiscard}>
          {unsaved.discard}
        </Button>
      </div>
    </Dialog>
  )
}

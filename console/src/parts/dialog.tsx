import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { useWords } from '../i18n/language.tsx'
import { IconButton } from './button.tsx'

/**
 * A modal dialog, open while it is rendered. The focus stays inside and returns afterwards. Escape and the cross call
 * `onClose`, unless `isBusy`; without `onClose` only the dialog's own buttons end it.
 */
export function Dialog(props: {
  readonly title: string
  readonly onClose?: () => void
  readonly isBusy?: boolean
  readonly isWide?: boolean
  /** For questions that need an answer before anything else. */
  readonly isAlert?: boolean
  readonly children: ReactNode
}) {
  const { title, onClose, isBusy = false, isWide = false, isAlert = false } = props
  const words = useWords()
  const mayClose = onClose !== undefined && !isBusy
  return (
    <ModalOverlay
      className="overlay"
      isOpen
      isDismissable={false}
      isKeyboardDismissDisabled={!mayClose}
      onOpenChange={(isOpen) => {
        if (!isOpen && mayClose) onClose()
      }}
    >
      <Modal className={isWide ? 'modal modal-wide' : 'modal'}>
        <AriaDialog className="dialog" role={isAlert ? 'alertdialog' : 'dialog'}>
          <div className="dialog-head">
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            {onClose === undefined ? null : (
              <IconButton icon={X} label={words.close} size="small" isDisabled={isBusy} onPress={onClose} />
            )}
          </div>
          {props.children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}

import type { Editor } from '@tiptap/core'
import { useState } from 'react'
import { useWords } from '../../../i18n/language.tsx'
import { Button } from '../../../parts/layout/button.tsx'
import { Dialog } from '../../../parts/feedback/dialog.tsx'
import { TextField } from '../../../parts/fields/text-field.tsx'
import { useEditorWords } from '../words.ts'

/** Asks for the address of a link; an empty one removes the link. */
export function LinkDialog(props: { readonly editor: Editor; readonly onClose: () => void }) {
  const { editor, onClose } = props
  const common = useWords()
  const { link } = useEditorWords()
  const [address, setAddress] = useState(String(editor.getAttributes('link').href ?? ''))
  const [fault, setFault] = useState<string | null>(null)
  const set = (): void => {
    const href = address.trim()
    if (/^\s*(?:javascript|data|vbscript):/i.test(href)) return setFault(link.refused)
    onClose()
    const chain = editor.chain().focus().extendMarkRange('link')
    if (href === '') chain.unsetLink().run()
    else if (editor.state.selection.empty && !editor.isActive('link')) {
      chain.insertContent({ type: 'text', text: href, marks: [{ type: 'link', attrs: { href } }] }).run()
    } else chain.setLink({ href }).run()
  }
  return (
    <Dialog title={link.title} onClose={onClose}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          set()
        }}
      >
        <TextField
          label={link.address}
          help={link.help}
          value={address}
          onChange={setAddress}
          fault={fault}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- a dialog takes the focus anyway
          autoFocus
        />
        <div className="dialog-actions">
          <Button onPress={onClose}>{common.cancel}</Button>
          <Button kind="main" type="submit">
            {link.set}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

import type { Editor } from '@tiptap/core'
import { Table } from 'lucide-react'
import { Button } from '../../../parts/layout/button.tsx'
import { Menu } from '../../../parts/layout/menu.tsx'
import { useEditorWords } from '../words.ts'

/** Shows actions for the table around the cursor. */
export function TableMenu({ editor }: { readonly editor: Editor }) {
  const { table } = useEditorWords()
  const action = (id: keyof typeof table, run: () => boolean, isDanger = false) => ({
    id,
    name: table[id],
    isDanger,
    onAction: () => void run(),
  })
  const chain = () => editor.chain().focus()
  return (
    <Menu
      label={table.label}
      button={
        <Button kind="quiet" size="small" icon={Table}>
          {table.label}
        </Button>
      }
      actions={[
        action('rowBelow', () => chain().addRowAfter().run()),
        action('columnAfter', () => chain().addColumnAfter().run()),
        action('deleteRow', () => chain().deleteRow().run()),
        action('deleteColumn', () => chain().deleteColumn().run()),
        action('remove', () => chain().deleteTable().run(), true),
      ]}
    />
  )
}

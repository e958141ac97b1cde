import { Button } from '../../parts/layout/button.tsx'
import type { Kept } from './use-draft.ts'
import { useEditorWords } from './words.ts'

/** Says where the text is, and saves it. It stays in sight while somebody writes. */
export function Head(props: {
  readonly isNew: boolean
  readonly kept: Kept
  readonly isSaving: boolean
  readonly onSave: () => void
  readonly onSaveAndClose: () => void
}) {
  const words = useEditorWords()
  const { isNew, kept, isSaving } = props
  const state = isSaving ? 'saving' : kept === 'saved' && isNew ? 'new' : kept
  return (
    <div className="editor-head">
      <p className={`kept kept-${state}`} role="status">
        {words.kept[state]}
      </p>
      <div className="row">
        <Button onPress={props.onSaveAndClose} isPending={isSaving}>
          {words.saveAndClose}
        </Button>
        <Button kind="main" onPress={props.onSave} isPending={isSaving}>
          {words.save}
        </Button>
      </div>
    </div>
  )
}

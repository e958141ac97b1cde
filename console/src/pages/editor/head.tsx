import { Button } from '../../parts/layout/button.tsx'
import type { TextState } from './use-draft.ts'
import { useEditorWords } from './words.ts'

/** Shows where the text is stored, and saves it. It stays in sight while the person writes. */
export function Head(props: {
  readonly isNew: boolean
  readonly textState: TextState
  readonly isSaving: boolean
  readonly onSave: () => void
  readonly onSaveAndClose: () => void
}) {
  const words = useEditorWords()
  const { isNew, textState, isSaving } = props
  const state = isSaving ? 'saving' : textState === 'saved' && isNew ? 'new' : textState
  return (
    <div className="editor-head">
      <p className="save-state" data-state={state} role="status">
        {words.saveState[state]}
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

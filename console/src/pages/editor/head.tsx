import { Link } from '@tanstack/react-router'
import { Button } from '../../parts/button.tsx'
import type { Kept } from './use-draft.ts'
import { useEditorWords } from './words.ts'

/** Says where the text is, and saves it. It stays in sight while somebody writes. */
export function Head(props: {
  readonly entryId: string | null
  readonly kept: Kept
  readonly isSaving: boolean
  readonly onSave: () => void
  readonly onSaveAndClose: () => void
}) {
  const words = useEditorWords()
  const { entryId, kept, isSaving } = props
  const state = isSaving ? 'saving' : kept === 'saved' && entryId === null ? 'new' : kept
  return (
    <div className="editor-head">
      <p className={`kept kept-${state}`} role="status">
        {words.kept[state]}
      </p>
      <div className="row">
        {entryId === null ? null : (
          <>
            <Link to="/console/entries/$entryId/versions" params={{ entryId }} className="button button-quiet">
              {words.history}
            </Link>
            <Link
              to="/console/entries/$entryId"
              params={{ entryId }}
              activeOptions={{ exact: true }}
              className="button button-quiet"
            >
              {words.read}
            </Link>
          </>
        )}
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

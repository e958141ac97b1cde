import { useWords } from '../../i18n/language.tsx'
import { Button } from '../layout/button.tsx'
import { LeaveGuard } from './leave-guard.tsx'

/**
 * Says at the foot of the window that a form has changes, and saves or discards them. Asks before the person leaves the
 * page with them. The button sends the form that it stands in.
 * @param props.count number of changed fields; with 0 the bar is hidden
 */
export function SaveBar(props: { readonly count: number; readonly isSaving: boolean; readonly onDiscard: () => void }) {
  const { count, isSaving, onDiscard } = props
  const words = useWords()
  const { unsaved } = words
  if (count === 0) return null
  return (
    <>
      <section className="save-bar" aria-label={unsaved.region}>
        <p role="status">{unsaved.count(count)}</p>
        <span className="row">
          <Button onPress={onDiscard} isDisabled={isSaving}>
            {unsaved.discard}
          </Button>
          <Button kind="main" type="submit" isPending={isSaving}>
            {isSaving ? words.saving : words.save}
          </Button>
        </span>
      </section>
      <LeaveGuard isNeeded={() => true} />
    </>
  )
}

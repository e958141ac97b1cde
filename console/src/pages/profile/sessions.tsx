import { useMutation, useQuery } from '@tanstack/react-query'
import { ownSessionsQuery, useEndSession, useSignOutEverywhere } from '../../api/own-account.ts'
import { countUnsaved } from '../../api/sign-out.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { ConfirmDialog } from '../../parts/feedback/confirm-dialog.tsx'
import { faultText } from '../../parts/feedback/fault-text.ts'
import { QueryView } from '../../parts/feedback/query-view.tsx'
import { SessionTable } from '../../parts/session/session-table.tsx'
import { sayDone, sayFailed } from '../../parts/feedback/toast.tsx'
import { useProfileWords } from './words.ts'

/** Lists the person's sessions, and signs them out. */
export function OwnSessions() {
  const { sessions: text } = useProfileWords()
  const { words, formats } = useLanguage()
  const sessions = useQuery(ownSessionsQuery)
  const end = useEndSession()
  const everywhere = useSignOutEverywhere()
  const counting = useMutation({ mutationFn: countUnsaved, onError: (error) => sayFailed(faultText(error, words)) })
  return (
    <>
      <p className="intro part-intro">{text.intro}</p>
      <QueryView query={sessions}>
        {(list) => (
          <SessionTable
            sessions={list}
            action={({ id, current, created_at: at }) =>
              current ? null : (
                <Button
                  size="small"
                  aria-label={text.endNamed(formats.moment(at))}
                  isPending={end.isPending && end.variables === id}
                  onPress={() =>
                    end.mutate(id, {
                      onSuccess: () => sayDone(text.ended),
                      onError: (error) => sayFailed(faultText(error, words)),
                    })
                  }
                >
                  {text.end}
                </Button>
              )
            }
          />
        )}
      </QueryView>
      <p className="part-foot">
        <Button isPending={counting.isPending} onPress={() => counting.mutate()}>
          {text.everywhere}
        </Button>
      </p>
      {counting.data === undefined ? null : (
        <ConfirmDialog
          title={text.everywhereTitle}
          text={
            counting.data === 0
              ? text.everywhereText
              : `${text.everywhereText} ${words.frame.unsaved.text(counting.data)}`
          }
          confirm={text.everywhere}
          isBusy={everywhere.isPending}
          error={everywhere.error}
          onConfirm={() =>
            everywhere.mutate(undefined, {
              onSuccess: () => {
                // A full page load, so that no loaded data stays in memory.
                window.location.assign('/console/sign-in')
              },
            })
          }
          onClose={() => counting.reset()}
        />
      )}
    </>
  )
}

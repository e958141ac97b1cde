import { useMutation, useQuery } from '@tanstack/react-query'
import { ownSessionsQuery, useEndSession, useSignOutEverywhere } from '../../api/own-account.ts'
import { countUnsaved } from '../../api/sign-out.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { ConfirmDialog } from '../../parts/feedback/confirm-dialog.tsx'
import { faultText } from '../../parts/feedback/fault-text.ts'
import { Loaded } from '../../parts/feedback/loaded.tsx'
import { SessionTable } from '../../parts/session/session-table.tsx'
import { sayDone, sayFailed } from '../../parts/feedback/toast.tsx'
import { useProfileWords } from './words.ts'

/** Where the person is signed in, and signing out there. */
export function OwnSessions() {
  const { sessions: text } = useProfileWords()
  const { words, formats } = useLanguage()
  const sessions = useQuery(ownSessionsQuery)
  const end = useEndSession()
  const everywhere = useSignOutEverywhere()
  const asking = useMutation({ mutationFn: countUnsaved, onError: (error) => sayFailed(faultText(error, words)) })
  return (
    <>
      <p className="intro part-intro">{text.intro}</p>
      <Loaded query={sessions}>
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
      </Loaded>
      <p className="part-foot">
        <Button isPending={asking.isPending} onPress={() => asking.mutate()}>
          {text.everywhere}
        </Button>
      </p>
      {asking.data === undefined ? null : (
        <ConfirmDialog
          title={text.everywhereTitle}
          text={
            asking.data === 0 ? text.everywhereText : `${text.everywhereText} ${words.frame.unsaved.text(asking.data)}`
          }
          confirm={text.everywhere}
          isBusy={everywhere.isPending}
          error={everywhere.error}
          onConfirm={() =>
            everywhere.mutate(undefined, {
              onSuccess: () => {
                // A full page load, so that nothing that was loaded stays in memory.
                window.location.assign('/console/sign-in')
              },
            })
          }
          onClose={() => asking.reset()}
        />
      )}
    </>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type PersonDetails, personSessionsQuery, useSignOutPerson } from '../../api/people.ts'
import { Button } from '../../parts/layout/button.tsx'
import { ConfirmDialog } from '../../parts/feedback/confirm-dialog.tsx'
import { QueryView } from '../../parts/feedback/query-view.tsx'
import { nameOf } from '../../parts/text/person.tsx'
import { Section } from '../../parts/layout/section.tsx'
import { SessionTable } from '../../parts/session/session-table.tsx'
import { sayDone } from '../../parts/feedback/toast.tsx'
import { usePeopleWords } from './words.ts'

/** Lists the sessions of a person, and ends them. */
export function PersonSessions(props: { readonly person: PersonDetails; readonly isChangeable: boolean }) {
  const { person, isChangeable } = props
  const { sessions: text } = usePeopleWords().person
  const sessions = useQuery(personSessionsQuery(person.id))
  const end = useSignOutPerson(person.id)
  const [isAsking, setAsking] = useState(false)
  const name = nameOf(person)
  return (
    <Section title={text.title}>
      <QueryView query={sessions}>
        {(list) =>
          list.length === 0 ? (
            <p>{text.none}</p>
          ) : (
            <>
              <SessionTable sessions={list} />
              {isChangeable ? (
                <p className="person-foot">
                  <Button onPress={() => setAsking(true)}>{text.end}</Button>
                </p>
              ) : null}
            </>
          )
        }
      </QueryView>
      {isAsking ? (
        <ConfirmDialog
          title={text.endTitle}
          text={text.endText(name)}
          confirm={text.end}
          isBusy={end.isPending}
          error={end.error}
          onConfirm={() =>
            end.mutate(undefined, {
              onSuccess: () => {
                sayDone(text.ended(name))
                setAsking(false)
              },
            })
          }
          onClose={() => setAsking(false)}
        />
      ) : null}
    </Section>
  )
}

import { Link } from '@tanstack/react-router'
import type { PersonDetails } from '../../api/people.ts'
import { useSession } from '../../api/use-session.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { LANGUAGES } from '../../i18n/languages.ts'
import { DescriptionList } from '../../parts/layout/description-list.tsx'
import { Notice } from '../../parts/feedback/notice.tsx'
import { isRole } from '../../parts/session/permissions.tsx'
import { Day } from '../../parts/text/time.tsx'
import { AccessForm } from './access-form.tsx'
import { mayManage, seenLevel } from './givable.ts'
import { LeaveSection } from './leave-section.tsx'
import { PersonSessions } from './person-sessions.tsx'
import { SignInSection } from './sign-in-section.tsx'
import { StateBadge } from './state-badge.tsx'
import { usePeopleWords } from './words.ts'

/** Shows all facts and actions of one person. Values that the signed-in person may not change are only shown. */
export function PersonSections({ person }: { readonly person: PersonDetails }) {
  const { person: text } = usePeopleWords()
  const { user, scopes } = useSession()
  const { role, ceiling } = person
  const access = isRole(role) ? { role, ceiling } : null
  const isSelf = person.id === user.id
  const isChangeable = !isSelf && access !== null && mayManage(scopes, access)
  return (
    <>
      {isSelf ? (
        <Notice tone="plain">
          <p>{text.you}</p>
          <p>
            <Link to="/console/profile">{text.toAccount}</Link>
          </p>
        </Notice>
      ) : isChangeable ? null : (
        <Notice tone="plain">{text.more}</Notice>
      )}
      <div className="section">
        <Facts person={person} />
      </div>
      {isChangeable ? <AccessForm key={person.id} person={person} access={access} /> : null}
      {isSelf ? null : <SignInSection person={person} isChangeable={isChangeable} />}
      {isSelf ? null : <PersonSessions person={person} isChangeable={isChangeable} />}
      {isChangeable ? <LeaveSection person={person} /> : null}
    </>
  )
}

function Facts({ person }: { readonly person: PersonDetails }) {
  const { words, formats } = useLanguage()
  const { list, person: text } = usePeopleWords()
  const { role, ceiling, language, disabled_at: disabledAt } = person
  return (
    <DescriptionList
      facts={[
        [list.role, isRole(role) ? words.roles[role] : role],
        isRole(role) ? [list.ceiling, words.visibility[seenLevel({ role, ceiling })].name] : null,
        [
          text.state,
          disabledAt === null ? (
            <StateBadge key="state" isDisabled={false} />
          ) : (
            text.disabledSince(formats.day(disabledAt))
          ),
        ],
        [text.language, language === null ? text.asBrowser : LANGUAGES[language]],
        [text.since, <Day key="since" iso={person.created_at} />],
      ]}
    />
  )
}

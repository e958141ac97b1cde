import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ChevronLeft, Lock } from 'lucide-react'
import { ApiFault } from '../../api/client.ts'
import { personQuery } from '../../api/people.ts'
import { useMay } from '../../api/use-session.ts'
import { Empty } from '../../parts/feedback/empty.tsx'
import { QueryView } from '../../parts/feedback/query-view.tsx'
import { Page } from '../../parts/layout/page.tsx'
import { nameOf } from '../../parts/text/person.tsx'
import { PersonSections } from './person-sections.tsx'
import { usePeopleWords } from './words.ts'
import './page.css'

const route = getRouteApi('/signed-in/console/settings/people/$userId')

/** Shows one person of the organisation. */
export function PersonPage() {
  const words = usePeopleWords()
  const mayManage = useMay('tenant:admin')
  const { userId } = route.useParams()
  if (mayManage) return <PersonById key={userId} userId={userId} />
  return (
    <Page title={words.title}>
      <Empty icon={Lock} title={words.forbidden} help={words.forbiddenHelp} />
    </Page>
  )
}

function PersonById({ userId }: { readonly userId: string }) {
  const words = usePeopleWords()
  const person = useQuery(personQuery(userId))
  const isGone = person.error instanceof ApiFault && [404, 422].includes(person.error.status)
  // The heading is there all the time, also while the person is loaded or loaded again.
  const title = person.data !== undefined ? nameOf(person.data) : isGone ? words.person.gone : words.list.person
  const intro = person.data !== undefined ? person.data.email : isGone ? words.person.goneHelp : undefined
  return (
    <>
      <Link to="/console/settings/people" className="back">
        <ChevronLeft className="icon" size={16} aria-hidden />
        {words.person.back}
      </Link>
      <Page title={title} intro={intro === title ? undefined : intro}>
        {isGone ? null : <QueryView query={person}>{(details) => <PersonSections person={details} />}</QueryView>}
      </Page>
    </>
  )
}

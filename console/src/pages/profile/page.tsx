import { getRouteApi } from '@tanstack/react-router'
import { Page } from '../../parts/layout/page.tsx'
import { Section } from '../../parts/layout/section.tsx'
import { Tabs } from '../../parts/layout/tabs.tsx'
import { FactorSections } from '../security/factors.tsx'
import { useWords } from '../../i18n/language.tsx'
import { PasswordSection } from './password.tsx'
import { ProfileForm } from './profile-form.tsx'
import { OwnSessions } from './sessions.tsx'
import { useProfileWords } from './words.ts'
import './page.css'

const route = getRouteApi('/signed-in/console/profile')

const PARTS = ['profile', 'security', 'sessions'] as const
type Part = (typeof PARTS)[number]

/** Shows the person's own account: who they are, what they sign in with, and where they are signed in. */
export function ProfilePage() {
  const words = useProfileWords()
  const { security } = useWords()
  const { part = 'profile' } = route.useSearch()
  const navigate = route.useNavigate()
  const contents = {
    profile: <ProfileForm />,
    security: (
      <>
        <PasswordSection />
        <Section title={words.secondFactor} help={security.intro} />
        <FactorSections />
      </>
    ),
    sessions: <OwnSessions />,
  }
  return (
    <Page title={words.title}>
      <Tabs<Part>
        label={words.title}
        tabs={PARTS.map((id) => ({ id, name: words.parts[id], content: contents[id] }))}
        chosen={part}
        onChoose={(id) => void navigate({ search: id === 'profile' ? {} : { part: id } })}
      />
    </Page>
  )
}

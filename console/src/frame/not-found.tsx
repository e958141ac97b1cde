import { Link } from '@tanstack/react-router'
import { useWords } from '../i18n/language.tsx'
import { Page } from '../parts/layout/page.tsx'
import { HOME } from '../parts/session/return-path.ts'

export function NotFound() {
  const { notFound } = useWords()
  return (
    <Page title={notFound.title} intro={notFound.text}>
      <p>
        <Link to={HOME}>{notFound.home}</Link>
      </p>
    </Page>
  )
}

import type { LinkProps } from '@tanstack/react-router'
import { type LucideIcon, UserRound } from 'lucide-react'
import type { Language } from '../i18n/languages.ts'

interface AccountPage {
  readonly to: LinkProps['to']
  readonly icon: LucideIcon
  readonly name: Readonly<Record<Language, string>>
}

/** Pages in the person's menu, such as their profile. */
export const ACCOUNT_PAGES: readonly AccountPage[] = [
  { to: '/console/profile', icon: UserRound, name: { en: 'Profile and security', de: 'Profil und Sicherheit' } },
]

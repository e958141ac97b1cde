import type { LinkProps } from '@tanstack/react-router'
import { type LucideIcon, UserRound } from 'lucide-react'
import type { EachLanguage } from '../i18n/table.ts'

interface AccountPage {
  readonly to: LinkProps['to']
  readonly icon: LucideIcon
  readonly name: EachLanguage
}

/** Pages in the person's menu, such as their profile. */
export const ACCOUNT_PAGES: readonly AccountPage[] = [
  { to: '/console/profile', icon: UserRound, name: { en: 'Profile and security', de: 'Profil und Sicherheit' } },
]

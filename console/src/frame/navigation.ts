import { AppWindow, ChartNoAxesColumn, KeyRound, ListChecks, type LucideIcon, Plug, Search } from 'lucide-react'
import type { LinkProps } from '@tanstack/react-router'
import type { Scope } from '../../../src/platform/access/scopes.ts'
import type { Language } from '../i18n/languages.ts'

type Named = Readonly<Record<Language, string>>

interface NavigationItem {
  readonly to: LinkProps['to']
  readonly icon: LucideIcon
  readonly name: Named
  /** The item is shown to people who have this scope; without it to everybody. */
  readonly needs?: Scope
  /** The item is hidden from people who have this scope. */
  readonly unless?: Scope
  /** Marked as current only on exactly this address, not below it. */
  readonly isExact?: boolean
}

interface NavigationGroup {
  /** Null for the group at the top, which needs no heading. */
  readonly name: Named | null
  readonly items: readonly NavigationItem[]
}

// One line for each page, under the heading of its part of the console. Names are here, and not among the words, so that
// a page adds one line and nothing else. The headings keep apart what several people add at the same time.
const NAVIGATION: readonly NavigationGroup[] = [
  {
    name: null,
    items: [
      // Search and reading.
      { to: '/console', icon: Search, name: { en: 'Search', de: 'Suche' }, needs: 'knowledge:read', isExact: true },
    ],
  },
  {
    name: { en: 'Knowledge', de: 'Wissen' },
    items: [
      // Writing.
      // Organising: categories, projects, workspaces, import.
    ],
  },
  {
    name: { en: 'Shop', de: 'Shop' },
    items: [
      // Products and sites.
    ],
  },
  {
    name: { en: 'Search quality', de: 'Suchqualität' },
    items: [
      // Search laboratory.
      // Insights.
      {
        to: '/console/insights',
        icon: ChartNoAxesColumn,
        name: { en: 'Insights', de: 'Auswertung' },
        needs: 'analytics:read',
      },
    ],
  },
  {
    name: { en: 'Settings', de: 'Einstellungen' },
    items: [
      // Connecting and first start.
      { to: '/console/connect', icon: Plug, name: { en: 'Connect', de: 'Verbinden' } },
      {
        to: '/console/first-steps',
        icon: ListChecks,
        name: { en: 'First steps', de: 'Erste Schritte' },
        needs: 'tenant:admin',
      },
      // Settings.
      {
        to: '/console/settings/api-keys',
        icon: KeyRound,
        name: { en: 'API keys', de: 'API-Schlüssel' },
        needs: 'tenant:admin',
      },
      {
        to: '/console/settings/oauth-clients',
        icon: AppWindow,
        name: { en: 'OAuth clients', de: 'OAuth-Clients' },
        needs: 'tenant:admin',
      },
      {
        to: '/console/settings/oauth-clients',
        icon: AppWindow,
        name: { en: 'Connected applications', de: 'Verbundene Anwendungen' },
        unless: 'tenant:admin',
      },

      // System.
    ],
  },
  {
    name: { en: 'Service', de: 'Dienst' },
    items: [
      // Operators.
    ],
  },
]

/** The groups with what somebody with these scopes may use; groups without anything are left out. */
export function navigationFor(scopes: readonly string[]): readonly NavigationGroup[] {
  return NAVIGATION.map(({ name, items }) => ({
    name,
    items: items.filter(
      ({ needs, unless }) =>
        (needs === undefined || scopes.includes(needs)) && (unless === undefined || !scopes.includes(unless)),
    ),
  })).filter(({ items }) => items.length > 0)
}

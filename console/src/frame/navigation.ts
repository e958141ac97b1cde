import {
  Activity,
  AppWindow,
  Building2,
  ChartNoAxesColumn,
  ClipboardCheck,
  FilePlus,
  FileText,
  FileUp,
  FlaskConical,
  FolderKanban,
  FolderTree,
  KeyRound,
  Languages,
  ListChecks,
  ListOrdered,
  type LucideIcon,
  Package,
  PanelsTopLeft,
  Plug,
  RefreshCw,
  ScrollText,
  Search,
  Settings2,
  Trash2,
  UserRound,
  Users,
} from 'lucide-react'
import type { LinkProps } from '@tanstack/react-router'
import type { Scope } from '../../../src/platform/access/scopes.ts'
import type { EachLanguage } from '../i18n/table.ts'

interface NavigationItem {
  readonly to: LinkProps['to']
  readonly icon: LucideIcon
  readonly name: EachLanguage
  /** Scope that a person needs to see the item; without it all people see it. */
  readonly needs?: Scope
  /** Scope that hides the item from a person who has it. */
  readonly unless?: Scope
  /** Whether the item is marked as current on exactly this address alone, and not below it. */
  readonly isExact?: boolean
}

interface NavigationGroup {
  /** Heading; null for the group at the top, which needs none. */
  readonly name: EachLanguage | null
  readonly items: readonly NavigationItem[]
}

// One line for each page, under the heading of its part of the console. Names are here, and not among the words, so
// that a page adds one line and nothing else. The headings keep lines of different people apart, so that merges do not
// collide.
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
      {
        to: '/console/entries',
        icon: FileText,
        name: { en: 'Entries', de: 'Einträge' },
        needs: 'knowledge:read',
        isExact: true,
      },
      {
        to: '/console/entries/new',
        icon: FilePlus,
        name: { en: 'New entry', de: 'Neuer Eintrag' },
        needs: 'knowledge:write',
      },
      { to: '/console/bin', icon: Trash2, name: { en: 'Bin', de: 'Papierkorb' }, needs: 'knowledge:delete' },
      // Organising: categories, projects, workspaces, import.
      {
        to: '/console/categories',
        icon: FolderTree,
        name: { en: 'Categories', de: 'Kategorien' },
        needs: 'knowledge:read',
      },
      {
        to: '/console/projects',
        icon: FolderKanban,
        name: { en: 'Projects', de: 'Projekte' },
        needs: 'knowledge:read',
      },
      {
        to: '/console/workspaces',
        icon: Users,
        name: { en: 'Workspaces', de: 'Arbeitsbereiche' },
        needs: 'tenant:admin',
      },
      {
        to: '/console/import',
        icon: FileUp,
        name: { en: 'Import', de: 'Import' },
        needs: 'knowledge:write',
      },
    ],
  },
  {
    name: { en: 'Shop', de: 'Shop' },
    items: [
      // Products and sites.
      {
        to: '/console/products',
        icon: Package,
        name: { en: 'Products', de: 'Produkte' },
        needs: 'products:read',
        isExact: true,
      },
      {
        to: '/console/products/rules',
        icon: ListOrdered,
        name: { en: 'Ranking rules', de: 'Ranking-Regeln' },
        needs: 'products:write',
      },
      {
        to: '/console/products/words',
        icon: Languages,
        name: { en: 'Synonyms', de: 'Synonyme' },
        needs: 'products:write',
      },
      {
        to: '/console/products/syncs',
        icon: RefreshCw,
        name: { en: 'Sync runs', de: 'Abgleiche' },
        needs: 'products:write',
      },
      {
        to: '/console/site-entries',
        icon: PanelsTopLeft,
        name: { en: 'What sites show', de: 'Was Sites zeigen' },
        needs: 'sites:read',
      },
    ],
  },
  {
    name: { en: 'Search quality', de: 'Suchqualität' },
    items: [
      // Insights.
      {
        to: '/console/insights',
        icon: ChartNoAxesColumn,
        name: { en: 'Insights', de: 'Auswertung' },
        needs: 'analytics:read',
      },
      // Search laboratory.
      {
        to: '/console/laboratory',
        icon: FlaskConical,
        name: { en: 'Search laboratory', de: 'Suchlabor' },
        needs: 'tenant:admin',
      },
      {
        to: '/console/judged-sets',
        icon: ClipboardCheck,
        name: { en: 'Judged sets', de: 'Bewertete Suchen' },
        needs: 'tenant:admin',
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
        to: '/console/settings',
        icon: Settings2,
        name: { en: 'General', de: 'Allgemein' },
        needs: 'tenant:admin',
        isExact: true,
      },
      {
        to: '/console/settings/people',
        icon: UserRound,
        name: { en: 'People', de: 'Personen' },
        needs: 'tenant:admin',
      },
      {
        to: '/console/settings/single-sign-on',
        icon: Building2,
        name: { en: 'Single sign-on', de: 'Firmenkonto' },
        needs: 'tenant:admin',
      },
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
      {
        to: '/console/settings/audit-trail',
        icon: ScrollText,
        name: { en: 'Audit trail', de: 'Protokoll' },
        needs: 'tenant:admin',
      },
      // System.
      { to: '/console/system', icon: Activity, name: { en: 'System', de: 'System' }, needs: 'tenant:admin' },
    ],
  },
]

/** Returns the groups with the items that a person with these scopes may use; leaves out groups without any. */
export function navigationFor(scopes: readonly string[]): readonly NavigationGroup[] {
  return NAVIGATION.map(({ name, items }) => ({
    name,
    items: items.filter(
      ({ needs, unless }) =>
        (needs === undefined || scopes.includes(needs)) && (unless === undefined || !scopes.includes(unless)),
    ),
  })).filter(({ items }) => items.length > 0)
}

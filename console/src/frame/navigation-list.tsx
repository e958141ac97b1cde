import { Link } from '@tanstack/react-router'
import { BookOpen, PanelLeftClose, PanelLeftOpen } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { useSession } from '../api/use-session.ts'
import { useLanguage } from '../i18n/language.tsx'
import { navigationFor } from './navigation.ts'

const ICON_PX = 18

/** Lists the pages that the person may use. Collapsed it shows icons, whose names are tooltips and read out. */
export function Navigation(props: {
  /** Shown above the pages. */
  readonly head?: ReactNode
  readonly isCollapsed?: boolean
  /** Without it the navigation cannot be collapsed. */
  readonly onCollapse?: (isCollapsed: boolean) => void
}) {
  const { isCollapsed = false, onCollapse } = props
  const { language, words } = useLanguage()
  const { scopes } = useSession()
  const id = useId()
  const Fold = isCollapsed ? PanelLeftOpen : PanelLeftClose
  return (
    <nav className="navigation" aria-label={words.frame.navigation}>
      {props.head}
      {navigationFor(scopes).map(({ name, items }, i) => (
        <div key={name?.en ?? ''} className="navigation-group">
          {name === null ? null : (
            <p className="navigation-title" id={`${id}-${i}`}>
              {name[language]}
            </p>
          )}
          <ul aria-labelledby={name === null ? undefined : `${id}-${i}`}>
            {items.map(({ to, icon: Icon, name: itemName, isExact = false }) => (
              <li key={to}>
                <Link
                  to={to}
                  activeOptions={{ exact: isExact, includeSearch: false }}
                  title={isCollapsed ? itemName[language] : undefined}
                >
                  <Icon className="icon" size={ICON_PX} aria-hidden />
                  <span className="navigation-name">{itemName[language]}</span>
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
      <div className="navigation-rest">
        <a href="/docs" title={isCollapsed ? words.frame.reference : undefined}>
          <BookOpen className="icon" size={ICON_PX} aria-hidden />
          <span className="navigation-name">{words.frame.reference}</span>
        </a>
        {onCollapse === undefined ? null : (
          <button
            type="button"
            className="navigation-fold"
            aria-expanded={!isCollapsed}
            title={isCollapsed ? words.frame.expand : undefined}
            onClick={() => onCollapse(!isCollapsed)}
          >
            <Fold className="icon" size={ICON_PX} aria-hidden />
            <span className="navigation-name">{isCollapsed ? words.frame.expand : words.frame.collapse}</span>
          </button>
        )}
      </div>
    </nav>
  )
}

import { Link } from '@tanstack/react-router'
import type { Entry } from '../../api/entries.ts'
import { useEntryWords } from './words.ts'

/** Shows the way to the entry: the search, then its category. */
export function Breadcrumbs({ entry }: { readonly entry: Entry }) {
  const words = useEntryWords()
  const { category_path: path = [] } = entry
  return (
    <nav aria-label={words.category} className="breadcrumbs">
      <ol>
        <li>
          <Link to="/console">{words.toSearch}</Link>
        </li>
        {path.map((name, i) => (
          // oxlint-disable-next-line react/no-array-index-key -- two levels may have the same name
          <li key={i}>
            {i < path.length - 1 ? (
              name
            ) : (
              <Link to="/console/entries" search={{ category: entry.category_id }}>
                {name}
              </Link>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}

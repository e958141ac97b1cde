import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { Group, GroupKind } from '../../api/groups.ts'
import { Empty } from '../../parts/feedback/empty.tsx'
import { TextField } from '../../parts/fields/text-field.tsx'
import { useGroupsWords } from './words.ts'

/** Lists the groups by name, with a field that searches them. */
export function GroupList({ kind, groups }: { readonly kind: GroupKind; readonly groups: readonly Group[] }) {
  const words = useGroupsWords().kinds[kind]
  const { id, find = '' } = useSearch({ strict: false })
  const navigate = useNavigate()
  const search = find.trim().toLocaleLowerCase()
  const hits = groups.filter(({ name }) => name.toLocaleLowerCase().includes(search))
  return (
    <nav className="groups-list" aria-label={words.list}>
      <TextField
        type="search"
        label={words.find}
        value={find}
        onChange={(text) =>
          void navigate({
            to: '.',
            search: (now: object) => ({ ...now, find: text === '' ? undefined : text }),
            replace: true,
          })
        }
      />
      {hits.length === 0 ? (
        <Empty title={words.foundNone} />
      ) : (
        <ul>
          {hits.map((group) => (
            <li key={group.id}>
              <Link
                to="."
                search={(now: object) => ({ ...now, id: group.id })}
                aria-current={group.id === id ? 'true' : undefined}
                className="wrap"
              >
                {group.name}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </nav>
  )
}

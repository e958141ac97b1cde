import { queryOptions, useQuery } from '@tanstack/react-query'
import { answerOf, api } from '../../api/client.ts'
import type { Visibility } from '../../api/entry-fields.ts'
import { useEditorWords } from './words.ts'

const readersQuery = (visibility: Visibility, workspaceId: string | null) =>
  queryOptions({
    queryKey: ['readers', visibility, workspaceId],
    retry: false,
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/api/knowledge/readers', {
          signal,
          params: { query: { visibility, ...(workspaceId === null ? {} : { workspace_id: workspaceId }) } },
        }),
      ),
  })

/** Shows how many people can read an entry of this visibility, in words; nothing where the service tells no number. */
export function Readers(props: { readonly visibility: Visibility; readonly workspaceId: string | null }) {
  const words = useEditorWords()
  const { visibility } = props
  const isPersonal = visibility === 'personal'
  const { data } = useQuery({
    ...readersQuery(visibility, visibility === 'workspace' ? props.workspaceId : null),
    enabled: !isPersonal,
  })
  const text = isPersonal
    ? words.onlyYou
    : data === undefined
      ? null
      : visibility === 'public'
        ? words.everybody(data.total)
        : words.people(data.people)
  return (
    <p className="readers" role="status">
      {text}
    </p>
  )
}

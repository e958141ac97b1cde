import { useQuery } from '@tanstack/react-query'
import { QueryView } from '../../parts/feedback/query-view.tsx'
import { Section } from '../../parts/layout/section.tsx'
import { Skeleton } from '../../parts/feedback/skeleton.tsx'
import { quotasQuery } from './queries.ts'
import { QuotaUse } from './quota-use.tsx'
import { useSystemWords } from './words.ts'

/** Shows what the operator lets the organisation have and use. Its administrators only read that. */
export function OwnQuotas() {
  const { quotas: words } = useSystemWords()
  const quotas = useQuery(quotasQuery)
  return (
    <Section title={words.title} help={words.help}>
      <QueryView query={quotas} skeleton={<Skeleton lines={4} />}>
        {(data) => <QuotaUse quotas={data} />}
      </QueryView>
    </Section>
  )
}

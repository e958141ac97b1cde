import { useState } from 'react'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { Table } from '../../parts/tables/table.tsx'
import { Moment } from '../../parts/text/time.tsx'
import type { Run } from './queries.ts'
import { useSyncsWords } from './words.ts'

/** Lists the runs, the newest first. */
export function RunTable({ runs }: { readonly runs: readonly Run[] }) {
  const words = useSyncsWords()
  return (
    <Table
      label={words.list}
      rows={runs}
      keyOf={({ id }) => id}
      columns={[
        { head: words.when, cell: ({ started_at: at }) => <Moment iso={at} /> },
        { head: words.kind, cell: ({ sync }) => words[sync] },
        { head: words.by, cell: (run) => senderOf(run, words) },
        { head: words.result, cell: ({ status }) => <Status status={status} /> },
        { head: words.changed, cell: (run) => <Changed run={run} /> },
      ]}
    />
  )
}

function senderOf({ by }: Run, words: ReturnType<typeof useSyncsWords>): string {
  return by.kind === 'command_line' ? words.commandLine : (by.name ?? words.gone)
}

function Status({ status }: Pick<Run, 'status'>) {
  const words = useSyncsWords()
  const tone = { running: 'badge-active', finished: '', broken_off: 'badge-caution' }[status]
  return <span className={`badge ${tone}`}>{words.status[status]}</span>
}

function Changed({ run }: { readonly run: Run }) {
  const words = useSyncsWords()
  const { formats } = useLanguage()
  const counts = (['created', 'updated', 'retired', 'unchanged', 'failed'] as const).filter((each) => run[each] > 0)
  const reason = reasonOf(run, words, formats.number(run.not_retired))
  return (
    <div className="run-changed">
      <p className="run-counts">
        {counts.length === 0 ? <span className="quiet">{words.nothing}</span> : null}
        {counts.map((each) => (
          <span key={each} className={each === 'failed' ? 'run-failed' : undefined}>
            {words[each](formats.number(run[each]))}
          </span>
        ))}
      </p>
      {reason === null ? null : <p className="run-reason">{reason}</p>}
      {run.failures.length === 0 ? null : <Failures run={run} />}
    </div>
  )
}

function reasonOf(run: Run, { refusals, ...words }: ReturnType<typeof useSyncsWords>, left: string): string | null {
  const { refusal, status, sync } = run
  if (refusal === 'useless') return refusals.useless
  if (refusal !== null) return refusals[refusal](left)
  if (status !== 'broken_off') return null
  return sync === 'full' ? words.brokenOff : words.brokenOffDelta
}

/** Lists the first lines that were refused, each with the faulty field. */
function Failures({ run }: { readonly run: Run }) {
  const words = useSyncsWords()
  const { formats } = useLanguage()
  const [isOpen, setOpen] = useState(false)
  const { failures, failed } = run
  const title = failed > failures.length ? words.firstFailures(formats.number(failures.length)) : words.failures
  return (
    <>
      <Button size="small" kind="quiet" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
        {isOpen ? words.hide : words.show}
      </Button>
      {isOpen ? (
        <ul className="plain-list run-failures" aria-label={title}>
          {failures.map(({ line, external_id: id, field }) => (
            <li key={line}>
              <strong>{words.line(formats.number(line))}</strong>
              {id === null ? '' : ` · ${id}`} · {field === '' ? words.wholeLine : words.field(field)}
            </li>
          ))}
        </ul>
      ) : null}
    </>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiFault } from '../../api/client.ts'
import type { JudgedSet } from '../../api/judged-sets.ts'
import { useLanguage, useWords } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { faultText } from '../../parts/feedback/fault-text.ts'
import { QueryView } from '../../parts/feedback/query-view.tsx'
import { Notice } from '../../parts/feedback/notice.tsx'
import { Section } from '../../parts/layout/section.tsx'
import { Select } from '../../parts/fields/select.tsx'
import { Compare } from './compare.tsx'
import { Quality } from './quality.tsx'
import { type Run, type RunMode, runsQuery, useStartRun } from './queries.ts'
import { useJudgedSetWords } from './words.ts'

const MODES: readonly RunMode[] = ['hybrid', 'semantic', 'keyword']
const VIEWS = ['self', 'reader', 'editor'] as const

/** Starts measurements, and shows their results. */
export function Measurements({ set }: { readonly set: JudgedSet }) {
  const runs = useQuery(runsQuery(set.id))
  return (
    <QueryView query={runs}>
      {(list) => (
        <>
          <Start set={set} running={list.find(({ state }) => state === 'running')} />
          <Quality runs={list} />
          {list.filter(({ state }) => state === 'done').length < 2 ? null : <Compare setId={set.id} runs={list} />}
        </>
      )}
    </QueryView>
  )
}

function Start({ set, running }: { readonly set: JudgedSet; readonly running: Run | undefined }) {
  const common = useWords()
  const { run: words } = useJudgedSetWords()
  const [mode, setMode] = useState<RunMode>('hybrid')
  const [view, setView] = useState<(typeof VIEWS)[number]>('self')
  const start = useStartRun(set.id)
  const isTaken = start.error instanceof ApiFault && start.error.status === 409
  return (
    <Section title={words.title} help={words.help}>
      <div className="measure">
        <Select
          label={words.mode}
          choices={MODES.map((id) => ({ id, name: words.modes[id] }))}
          chosen={mode}
          onChoose={setMode}
        />
        <Select
          label={words.view}
          choices={VIEWS.map((id) => ({ id, name: words.views[id] }))}
          chosen={view}
          onChoose={setView}
        />
        <Button
          kind="main"
          isDisabled={set.queries === 0}
          isPending={start.isPending || running !== undefined}
          onPress={() => start.mutate({ mode, role: view === 'self' ? null : view })}
        >
          {words.start}
        </Button>
      </div>
      {set.queries === 0 ? <p className="second">{words.needsQueries}</p> : null}
      {running === undefined ? null : <Progress run={running} />}
      {start.isError ? (
        <Notice tone="danger" role="alert">
          {isTaken ? words.going : faultText(start.error, common)}
        </Notice>
      ) : null}
    </Section>
  )
}

function Progress({ run }: { readonly run: Run }) {
  const { formats } = useLanguage()
  const { run: words } = useJudgedSetWords()
  const text = words.progress(formats.number(run.done), formats.number(run.total))
  return (
    <p className="measure-progress" role="status">
      <progress max={Math.max(1, run.total)} value={run.done} aria-label={words.title} /> {text}
    </p>
  )
}

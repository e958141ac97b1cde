import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { lazyFile } from '../../api/lazy-file.ts'
import type { ChosenFile } from '../../parts/fields/folder-drop.tsx'
import { ImportRun, NO_REPORT, type Report } from './import-run.ts'
import type { ImportOptions } from './read-item.ts'
import { sendLines, categoryAccess } from './send.ts'

type Phase = 'choosing' | 'checking' | 'checked' | 'importing' | 'stopped' | 'done'

interface State {
  readonly phase: Phase
  readonly isDryRun: boolean
  readonly report: Report
  /** Error of the sending; null when it did not fail. */
  readonly error: unknown
}

const START: State = { phase: 'choosing', isDryRun: true, report: NO_REPORT, error: null }

/** Leads an import from the choice of files to its end: first a dry run, then the real one; each can be stopped. */
export function useImport() {
  const queries = useQueryClient()
  const [state, setState] = useState<State>(START)
  const run = useRef<ImportRun | null>(null)
  const stopper = useRef(new AbortController())
  // Without the page the person could neither see the progress nor stop the import.
  useEffect(() => () => stopper.current.abort(), [])

  const go = async (isDryRun: boolean): Promise<void> => {
    stopper.current = new AbortController()
    const { signal } = stopper.current
    setState((now) => ({ ...now, phase: isDryRun ? 'checking' : 'importing', isDryRun, error: null }))
    try {
      const isWhole = (await run.current?.go(signal)) ?? true
      setState((now) => ({ ...now, phase: !isWhole ? 'stopped' : isDryRun ? 'checked' : 'done' }))
    } catch (error) {
      setState((now) => ({ ...now, phase: 'stopped', error: signal.aborted ? null : error }))
    }
    if (!isDryRun) await queries.invalidateQueries()
  }

  const begin = async (files: readonly ChosenFile[], options: ImportOptions, isDryRun: boolean): Promise<void> => {
    setState({ ...START, phase: isDryRun ? 'checking' : 'importing', isDryRun })
    try {
      const [{ CategoryPaths }, { readChosen }] = await lazyFile(() =>
        Promise.all([import('./shared.js'), import('./read-files.ts')]),
      )
      const items = readChosen(files, options, await CategoryPaths.load(categoryAccess, isDryRun))
      run.current = new ImportRun(
        items,
        (lines, signal) => sendLines(lines, isDryRun, signal),
        (report) => setState((now) => ({ ...now, report })),
      )
    } catch (error) {
      run.current = null
      setState((now) => ({ ...now, phase: 'stopped', error }))
      return
    }
    await go(isDryRun)
  }

  return {
    ...state,
    begin,
    /** Goes on with a run that was stopped. */
    goOn: () => go(state.isDryRun),
    stop: () => stopper.current.abort(),
    reset: () => setState(START),
  }
}

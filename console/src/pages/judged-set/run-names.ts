import { useLanguage } from '../../i18n/language.tsx'
import type { Run, RunMode } from './queries.ts'
import { useJudgedSetWords } from './words.ts'

interface RunNames {
  readonly mode: (run: Run) => string
  /** Role or level that the run searched with. */
  readonly view: (run: Run) => string
  /** Name that tells the run from others. */
  readonly whole: (run: Run) => string
}

/** Returns functions that give the settings of runs in words. */
export function useRunNames(): RunNames {
  const { words: common, formats } = useLanguage()
  const words = useJudgedSetWords()
  const mode = ({ settings }: Run): string => words.run.modes[settings.mode as RunMode]
  const view = ({ settings }: Run): string => {
    const { role, ceiling } = settings as { role: 'reader' | 'editor' | 'admin' | null; ceiling: 'public' }
    return role === null ? words.runs.upTo(common.visibility[ceiling].name) : common.roles[role]
  }
  return { mode, view, whole: (run) => [formats.moment(run.started_at), mode(run), view(run)].join(' · ') }
}

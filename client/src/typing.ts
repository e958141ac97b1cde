export interface TypingOptions<Answer> {
  /** Asks for the answer to the text. Hand the signal on: it ends requests whose answers are not needed any more. */
  readonly ask: (text: string, signal: AbortSignal) => Promise<Answer>
  /** Shows an answer; null when the text is empty, at once. */
  readonly show: (answer: Answer | null, text: string) => void
  /** Takes a failure unless a newer answer was shown. By default failures are ignored. */
  readonly fail?: (error: unknown, text: string) => void
  /** Milliseconds that the visitor must pause before the service is asked. Default: 80. */
  readonly pauseMs?: number
}

export interface Typing {
  /** Takes the text of the input, at every change. The same text is not asked for twice in a row. */
  type(text: string): void
  /** Forgets what was typed and ends what is being asked. */
  stop(): void
}

interface RunningRequest {
  readonly place: number
  readonly controller: AbortController
}

const PAUSE_MS = 80
/** While so many requests run, the newest text waits, so that a slow service is not asked faster than it answers. */
const RUNNING_MAX = 2

/**
 * Asks while a visitor types. An older answer never replaces a newer one: answers are shown in the order in which they
 * were asked for, and an answer ends all older requests. A newer keystroke alone ends none, since on a slow line nothing
 * would be shown until the visitor pauses. Emptying the text ends all.
 */
export function answerTyping<Answer>(options: TypingOptions<Answer>): Typing {
  const { ask, show, fail, pauseMs = PAUSE_MS } = options
  const running = new Set<RunningRequest>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let wanted = ''
  let waiting: string | null = null
  let asked = 0

  const endUpTo = (place: number): void => {
    for (const each of running) {
      if (each.place > place) continue
      running.delete(each)
      each.controller.abort()
    }
  }
  const startNext = (): void => {
    if (waiting === null || running.size >= RUNNING_MAX) return
    const text = waiting
    waiting = null
    void start(text)
  }
  const start = async (text: string): Promise<void> => {
    const mine: RunningRequest = { place: ++asked, controller: new AbortController() }
    running.add(mine)
    let answer: Answer
    try {
      answer = await ask(text, mine.controller.signal)
    } catch (error) {
      // A request that was ended fails too, which is no failure to report.
      if (!running.delete(mine)) return
      // The same text may be asked for again.
      if (text === wanted) wanted = ''
      startNext()
      fail?.(error, text)
      return
    }
    if (!running.delete(mine)) return
    endUpTo(mine.place)
    startNext()
    show(answer, text)
  }
  const stop = (): void => {
    clearTimeout(timer)
    wanted = ''
    waiting = null
    endUpTo(asked)
  }
  return {
    type(typed) {
      const text = typed.trim()
      if (text === wanted) return
      if (text === '') {
        stop()
        show(null, '')
        return
      }
      wanted = text
      clearTimeout(timer)
      timer = setTimeout(() => {
        waiting = text
        startNext()
      }, pauseMs)
    },
    stop,
  }
}

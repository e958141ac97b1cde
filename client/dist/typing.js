const PAUSE_MS = 80;
/** While so many requests run, the newest text waits, so that a slow service is not asked faster than it answers. */
const RUNNING_MAX = 2;
/**
 * Asks while a visitor types. An older answer never replaces a newer one: answers are shown in the order in which they
 * were asked for, and an answer ends all older requests. A newer keystroke alone ends none, since on a slow line nothing
 * would be shown until the visitor pauses. Emptying the text ends all.
 */
export function answerTyping(options) {
    const { ask, show, fail, pauseMs = PAUSE_MS } = options;
    const running = new Set();
    let timer;
    let wanted = '';
    let waiting = null;
    let asked = 0;
    const endUpTo = (place) => {
        for (const each of running) {
            if (each.place > place)
                continue;
            running.delete(each);
            each.controller.abort();
        }
    };
    const startNext = () => {
        if (waiting === null || running.size >= RUNNING_MAX)
            return;
        const text = waiting;
        waiting = null;
        void start(text);
    };
    const start = async (text) => {
        const mine = { place: ++asked, controller: new AbortController() };
        running.add(mine);
        let answer;
        try {
            answer = await ask(text, mine.controller.signal);
        }
        catch (error) {
            // A request that was ended fails too, which is no failure to report.
            if (!running.delete(mine))
                return;
            // The same text may be asked for again.
            if (text === wanted)
                wanted = '';
            startNext();
            fail?.(error, text);
            return;
        }
        if (!running.delete(mine))
            return;
        endUpTo(mine.place);
        startNext();
        show(answer, text);
    };
    const stop = () => {
        clearTimeout(timer);
        wanted = '';
        waiting = null;
        endUpTo(asked);
    };
    return {
        type(typed) {
            const text = typed.trim();
            if (text === wanted)
                return;
            if (text === '') {
                stop();
                show(null, '');
                return;
            }
            wanted = text;
            clearTimeout(timer);
            timer = setTimeout(() => {
                waiting = text;
                startNext();
            }, pauseMs);
        },
        stop,
    };
}

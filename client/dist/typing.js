const PAUSE_MS = 80;
/**
 * Asks while somebody types. An older answer never replaces a newer one: answers are shown in the order in which they
 * were asked for, and an answer ends all older requests. A newer keystroke alone ends none, since on a slow line nothing
 * would be shown until the typist pauses. Emptying the text ends all.
 */
export function answerTyping(options) {
    const { ask, show, fail, pauseMs = PAUSE_MS } = options;
    const running = new Set();
    let timer;
    let wanted = '';
    let asked = 0;
    let shown = 0;
    const endUpTo = (place) => {
        for (const each of running) {
            if (each.place > place)
                continue;
            running.delete(each);
            each.controller.abort();
        }
    };
    const start = async (text) => {
        const mine = { place: ++asked, controller: new AbortController() };
        running.add(mine);
        try {
            const answer = await ask(text, mine.controller.signal);
            if (!running.delete(mine))
                return;
            shown = mine.place;
            endUpTo(shown);
            show(answer, text);
        }
        catch (error) {
            if (!running.delete(mine) || mine.place < shown)
                return;
            // The same text may be asked for again.
            if (text === wanted)
                wanted = '';
            fail?.(error, text);
        }
    };
    const stop = () => {
        clearTimeout(timer);
        wanted = '';
        endUpTo(asked);
        shown = asked;
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
            timer = setTimeout(() => void start(text), pauseMs);
        },
        stop,
    };
}

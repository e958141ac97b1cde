export interface TypingOptions<Answer> {
    /** Asks for what was typed so far. Hand the signal on: it ends requests that nobody needs any more. */
    readonly ask: (text: string, signal: AbortSignal) => Promise<Answer>;
    /** Shows an answer; null when the text is empty, at once. */
    readonly show: (answer: Answer | null, text: string) => void;
    /** Told of a failure unless a newer answer was shown. By default failures are ignored. */
    readonly fail?: (error: unknown, text: string) => void;
    /** How long the typist must pause before the service is asked, in milliseconds. Default: 80. */
    readonly pauseMs?: number;
}
export interface Typing {
    /** Takes the text of the input, at every change. The same text is not asked for twice in a row. */
    type(text: string): void;
    /** Forgets what was typed and ends what is being asked. */
    stop(): void;
}
/**
 * Asks while somebody types. An older answer never replaces a newer one: answers are shown in the order in which they
 * were asked for, and an answer ends all older requests. A newer keystroke alone ends none, since on a slow line nothing
 * would be shown until the typist pauses. Emptying the text ends all.
 */
export declare function answerTyping<Answer>(options: TypingOptions<Answer>): Typing;

/** One faulty place of a request, as the service names it. */
export interface Fault {
    readonly loc: readonly string[];
    readonly msg: string;
    readonly type: string;
}
/** A refusal of the service. */
export declare class KnowledgeError extends Error {
    readonly name = "KnowledgeError";
    readonly status: number;
    readonly detail: readonly Fault[];
    /** Milliseconds after which another try is worth it; null when the service did not say. */
    readonly retryAfterMs: number | null;
    constructor(status: number, detail: readonly Fault[], retryAfterMs: number | null);
}
export interface Connection {
    /** Address of the service, without a path. */
    readonly url: string;
    readonly key: string;
    readonly fetch: typeof globalThis.fetch;
    /** Milliseconds for one try. */
    readonly timeoutMs: number;
    /** Further tries after the first one. */
    readonly retries: number;
}
export interface Sent {
    readonly method?: 'GET' | 'POST';
    readonly query?: object;
    readonly body?: object;
    readonly signal?: AbortSignal;
    /** Whether the request outlives the page that sent it. It is then tried once. */
    readonly keepalive?: boolean;
    readonly retries?: number;
    /**
     * Whether a publishable key goes into the address, where the route takes it. It saves a browser the preflight of each
     * new address.
     */
    readonly isKeyInAddress?: boolean;
}
/**
 * Sends a request, again while the service is busy or the network away.
 * @throws KnowledgeError when the service refuses, TypeError when it cannot be reached, the signal's reason
 */
export declare function send(connection: Connection, path: string, sent?: Sent): Promise<Response>;

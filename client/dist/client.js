import { send } from './request.js';
/** Makes the functions that talk to one service with one key. Each throws what `send` throws. */
export function createClient(options) {
    const { url, key, visitorId, timeoutMs = 10_000, retries = 2, fetch = globalThis.fetch.bind(globalThis) } = options;
    const connection = { url, key, fetch, timeoutMs, retries };
    const visitor = visitorId === undefined ? {} : { visitor_id: visitorId };
    const read = async (path, sent = {}) => (await (await send(connection, `/api/knowledge/${path}`, sent)).json());
    const post = (path, body, options) => {
        const { signal, waitSeconds = 0 } = options;
        const patient = { ...connection, timeoutMs: timeoutMs + waitSeconds * 1_000 };
        return send(patient, `/api/knowledge/${path}`, { method: 'POST', body, headers: headersOf(options), signal });
    };
    /** Reads every item of a list, page after page. */
    async function* everyItem(path, query, { signal }) {
        for (let next = `/api/knowledge/${path}`, more = query; next !== null; more = {}) {
            const response = await send(connection, next, { query: more, signal });
            yield* (await response.json());
            next = /<([^>]+)>; *rel="next"/.exec(response.headers.get('link') ?? '')?.[1] ?? null;
        }
    }
    return {
        /** Searches products and knowledge together, one list of hits for each section. */
        async search(body, call = {}) {
            const response = await post('search', { ...visitor, ...body }, call);
            return { ...(await response.json()), ...completenessOf(response) };
        },
        /** Searches products, with the total and facets. */
        async searchProducts(body, call = {}) {
            const response = await post('products/search', { ...visitor, ...body }, call);
            return { ...(await response.json()), ...completenessOf(response) };
        },
        /** Searches entries. */
        async searchEntries(body, call = {}) {
            const response = await post('knowledge-entries/search', { ...visitor, ...body }, call);
            const hits = (await response.json());
            const { headers } = response;
            const meant = headers.get('x-did-you-mean');
            return {
                searchId: headers.get('x-search-log-id') ?? '',
                didYouMean: meant === null ? null : decodeURIComponent(meant),
                hits,
                ...completenessOf(response),
            };
        },
        /** Searches several times in one call, each as `search` does; publishable keys may not. */
        async multiSearch(searches, call = {}) {
            const body = { searches: searches.map((search) => ({ ...visitor, ...search })) };
            const response = await post('multi-search', body, call);
            const { answers } = (await response.json());
            return answers.map((answer) => ({ ...answer, ...completenessOf(response) }));
        },
        /** Suggests while a visitor types. Tried once, since the next keystroke asks again. */
        suggest(typed, { site, sections, limit, signal } = {}) {
            const query = { q: typed, site_id: site, section: sections, limit };
            return read('suggest', { query, signal, retries: 0, isKeyInAddress: true });
        },
        /** Reports an action on a hit. Never fails, never waits, and outlives the page that is left by the click. */
        click({ searchId, id, section, action = 'click', rank }) {
            const body = { ...visitor, search_log_id: searchId, product_id: id, section, action, rank };
            send(connection, '/api/knowledge/search/clicks', { method: 'POST', body, keepalive: true }).catch(() => undefined);
        },
        /** Entries, for a key that may read them; publishable keys may not. */
        entries: {
            get: (id, call = {}) => read(`knowledge-entries/${encodeURIComponent(id)}`, call),
            list: (query = {}, call = {}) => everyItem('knowledge-entries', query, call),
        },
        /** Products, for a key that may read them; publishable keys may not. */
        products: {
            get: (id, call = {}) => read(`products/${encodeURIComponent(id)}`, call),
            list: (query, call = {}) => everyItem('products', query, call),
        },
    };
}
/** Returns the headers of a search that waits for a write, or takes what a part of an index has. */
function headersOf({ minWatermark, waitSeconds, partial }) {
    const preferences = [
        ...(waitSeconds === undefined ? [] : [`wait=${Math.ceil(waitSeconds)}`]),
        ...(partial === true ? ['partial'] : []),
    ];
    return {
        ...(minWatermark === undefined ? {} : { 'x-min-watermark': minWatermark }),
        ...(preferences.length === 0 ? {} : { prefer: preferences.join(', ') }),
    };
}
function completenessOf({ headers }) {
    const behind = headers.get('x-search-behind');
    if (behind === null)
        return {};
    return { behind: behind === 'true' ? true : Number(behind) };
}

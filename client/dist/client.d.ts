import type { AnyOf, Choosing, CombinedAnswer, CombinedBody, EntryFields, EntryHit, ProductAnswer, ProductFields } from './hits.ts';
import type { components, operations } from './schema.ts';
type Schemas = components['schemas'];
type QueryOf<Operation extends keyof operations> = NonNullable<operations[Operation]['parameters']['query']>;
export interface ClientOptions {
    /** Address of the service, such as https://knowledge.example. */
    readonly url: string;
    /** A publishable key (`pk_…`) on a page; on a server any API key or access token. */
    readonly key: string;
    /** What identifies the visitor in searches and clicks: any text that stays the same for one person. */
    readonly visitorId?: string;
    /** Milliseconds for one try. Default: 10,000. */
    readonly timeoutMs?: number;
    /** Further tries while the service is busy or cannot be reached. Default: 2. */
    readonly retries?: number;
    /** Takes the place of the global `fetch`. */
    readonly fetch?: typeof globalThis.fetch;
}
/** What every call takes beside its input. */
export interface CallOptions {
    readonly signal?: AbortSignal;
}
export interface SuggestOptions extends CallOptions {
    /** Id or slug of a site. */
    readonly site?: string;
    /** What to suggest, of what the key may read. */
    readonly sections?: readonly ('products' | 'knowledge')[];
    /** Length of each list of suggestions. */
    readonly limit?: number;
}
/** What somebody did with a hit: of which search, with what, and where it stood. */
export interface Click {
    readonly searchId: string;
    /** Id of the product or entry. */
    readonly id: string;
    readonly section: 'products' | 'knowledge';
    /** By default `click`. */
    readonly action?: string;
    readonly rank?: number;
}
/** The hits of an entry search, and the id that clicks on them name. */
export interface EntryHits<Fields = undefined> {
    readonly searchId: string;
    /** The query with its misspelt words corrected, where nothing was found and the search asks for relevance; else null. */
    readonly didYouMean: string | null;
    readonly hits: readonly EntryHit<Fields>[];
}
export type KnowledgeClient = ReturnType<typeof createClient>;
/** Makes the functions that talk to one service with one key. Each throws what `send` throws. */
export declare function createClient(options: ClientOptions): {
    /** Searches products and knowledge together, one list of hits for each section. */
    search<const OfProducts extends ProductFields = undefined, const OfEntries extends EntryFields = undefined>(body: CombinedBody<OfProducts, OfEntries>, call?: CallOptions): Promise<CombinedAnswer<OfProducts, OfEntries>>;
    /** Searches products, with the total and facets. */
    searchProducts<const Fields extends ProductFields = undefined>(body: Choosing<Schemas['ProductSearch'], Fields>, call?: CallOptions): Promise<ProductAnswer<Fields>>;
    /** Searches entries. */
    searchEntries<const Fields extends EntryFields = undefined>(body: Choosing<Schemas['EntrySearch'], Fields>, call?: CallOptions): Promise<EntryHits<Fields>>;
    /** Searches several times in one call, each as `search` does; publishable keys may not. */
    multiSearch<OfProducts extends NonNullable<ProductFields>[number] = never, OfEntries extends NonNullable<EntryFields>[number] = never>(searches: readonly CombinedBody<readonly OfProducts[], readonly OfEntries[]>[], call?: CallOptions): Promise<readonly CombinedAnswer<AnyOf<OfProducts>, AnyOf<OfEntries>>[]>;
    /** Suggests while somebody types. Tried once, since the next keystroke asks again. */
    suggest(typed: string, { site, sections, limit, signal }?: SuggestOptions): Promise<Schemas['Suggestions']>;
    /** Says what somebody did with a hit. Never fails, never waits, and outlives the page that is left by the click. */
    click({ searchId, id, section, action, rank }: Click): void;
    /** Entries, for a key that may read them; publishable keys may not. */
    entries: {
        get: (id: string, call?: CallOptions) => Promise<Schemas['Entry']>;
        list: (query?: QueryOf<'listEntries'>, call?: CallOptions) => AsyncGenerator<{
            id: string;
            tenant_id: string;
            type: 'knowledge' | 'skill' | 'process' | 'glossary' | 'memory' | 'bootstrap' | 'skill_index';
            title: string;
            content: string;
            summary: string | null;
            category_id: string;
            visibility: 'public' | 'internal' | 'personal' | 'restricted' | 'community' | 'workspace';
            layer: string | null;
            language: string;
            tags: string[];
            search_keywords: string[];
            metadata: {
                [key: string]: unknown;
            };
            translation_group_id: string;
            workspace_id: string | null;
            source: 'manual' | 'import' | 'conversational' | 'learning_loop' | 'system';
            source_reference: string | null;
            created_by_user_id: string | null;
            version: number;
            embedding_model: string | null;
            created_at: string;
            updated_at: string;
            url?: string;
            category_path?: string[];
        } & ({
            type: 'bootstrap';
            metadata: components['schemas']['BootstrapMetadata'];
        } | {
            type: 'glossary';
            metadata: components['schemas']['GlossaryMetadata'];
        } | {
            type: 'knowledge';
            metadata: {
                [key: string]: unknown;
            };
        } | {
            type: 'memory';
            metadata: components['schemas']['MemoryMetadata'];
        } | {
            type: 'process';
            metadata: components['schemas']['ProcessMetadata'];
        } | {
            type: 'skill';
            metadata: components['schemas']['SkillMetadata'];
        } | {
            type: 'skill_index';
            metadata: components['schemas']['SkillIndexMetadata'];
        }), any, any>;
    };
    /** Products, for a key that may read them; publishable keys may not. */
    products: {
        get: (id: string, call?: CallOptions) => Promise<Schemas['Product']>;
        list: (query: QueryOf<'listProducts'>, call?: CallOptions) => AsyncGenerator<{
            id: string;
            tenant_id: string;
            site_id: string;
            external_id: string | null;
            title: string;
            description: string | null;
            short_description: string | null;
            sku: string | null;
            gtin: string | null;
            gtins?: string[];
            brand: string | null;
            category: string | null;
            attributes: {
                [key: string]: unknown;
            };
            properties: {
                [key: string]: unknown;
            };
            price_current: string | null;
            price_msrp: string | null;
            price_special: string | null;
            price_special_from: string | null;
            price_special_until: string | null;
            price_effective: string | null;
            price_on_request: boolean;
            currency: string;
            image_url: string | null;
            additional_images: string[];
            product_url: string | null;
            availability: string | null;
            rating_average: string | null;
            rating_count: number;
            language: string;
            translation_group_id: string | null;
            parent_product_id: string | null;
            is_variant: boolean;
            is_parent: boolean;
            source: 'api' | 'import' | 'feed';
            sync_hash: string | null;
            last_synced_at: string | null;
            created_at: string;
            updated_at: string;
            search_keywords: string[];
            has_similarity_anchor: boolean;
        }, any, any>;
    };
};
export {};

import { sql } from 'kysely'
import { columnTypes } from '../../columns.ts'
import type { Statements } from './statements.ts'

/** Products, their vectors, and the pushes that brought them. */
export const productTables: Statements = (dialect) => {
  const { key, bytes } = columnTypes(dialect)
  // A sync marks every product that it names, and PostgreSQL then writes the row again: on the same page if there is
  // room (heap-only tuples), else on another page with an entry in each of the six indexes. Nightly syncs double the
  // table's size in any case. https://www.postgresql.org/docs/current/storage-hot.html
  const syncRoom = dialect === 'postgres' ? sql`with (fillfactor = 50)` : sql``
  return [
    sql`
      create table products (
        tenant_id ${key} not null,
        id ${key} not null,
        site_id ${key} not null,
        external_id ${key},
        title text not null,
        description text,
        short_description text,
        sku ${key},
        gtin ${key},
        brand text,
        category text,
        attributes text not null,
        properties text not null,
        price_current text,
        price_msrp text,
        price_special text,
        price_on_request bigint not null,
        currency text not null,
        image_url text,
        additional_images text not null,
        product_url text,
        availability text,
        rating_average text,
        rating_count bigint not null,
        language text not null,
        translation_group_id ${key},
        parent_external_id ${key},
        parent_product_id ${key},
        is_variant bigint not null,
        is_parent bigint not null,
        source text not null,
        sync_hash text,
        similarity_text text,
        search_keywords text not null,
        embedding_text_description text,
        embedding_text_properties text,
        embedding_text_attributes text,
        embedding_model text,
        revision bigint not null,
        last_synced_at bigint,
        sync_run ${key},
        retired_at bigint,
        created_at bigint not null,
        updated_at bigint not null,
        seq bigint not null,
        price_special_from bigint,
        price_special_until bigint,
        gtins text not null default '[]',
        variants_availability text,
        constraint products_pk primary key (tenant_id, id),
        constraint products_external unique (tenant_id, site_id, external_id),
        constraint products_site foreign key (tenant_id, site_id) references sites (tenant_id, id)
      ) ${syncRoom}`,
    sql`create index products_newest on products (tenant_id, created_at, id)`,
    sql`create index products_by_site on products (tenant_id, site_id, created_at, id)`,
    sql`create index products_by_parent on products (tenant_id, site_id, parent_external_id)`,
    // For the same reason as `entries_by_seq`.
    sql`create index products_by_seq on products (tenant_id, seq, id)`,

    sql`
      create table product_tombstones (
        tenant_id ${key} not null,
        product_id ${key} not null,
        seq bigint not null,
        constraint product_tombstones_pk primary key (tenant_id, product_id),
        constraint product_tombstones_tenant foreign key (tenant_id) references tenants (tenant_id)
      )`,
    sql`create index product_tombstones_by_seq on product_tombstones (tenant_id, seq, product_id)`,

    sql`
      create table product_vectors (
        tenant_id ${key} not null,
        product_id ${key} not null,
        model ${key} not null,
        vectors ${bytes} not null,
        similarity ${bytes},
        constraint product_vectors_pk primary key (tenant_id, product_id, model),
        constraint product_vectors_product foreign key (tenant_id, product_id) references products (tenant_id, id)
          on delete cascade
      )`,
    sql`create index product_vectors_by_model on product_vectors (tenant_id, model, product_id)`,

    sql`
      create table product_sync_runs (
        tenant_id ${key} not null,
        id ${key} not null,
        site_id ${key} not null,
        source text not null,
        is_full integer not null,
        started_at bigint not null,
        seen_at bigint not null,
        status text not null,
        created integer not null,
        updated integer not null,
        unchanged integer not null,
        failed integer not null,
        retired integer not null,
        not_retired integer not null,
        refusal text,
        reason text,
        failures text not null,
        channel text not null,
        credential_kind text,
        credential_id text,
        user_id text,
        constraint product_sync_runs_pk primary key (tenant_id, id),
        constraint product_sync_runs_site foreign key (tenant_id, site_id) references sites (tenant_id, id)
          on delete cascade
      )`,
    sql`create index product_sync_runs_by_site on product_sync_runs (tenant_id, site_id, is_full, id)`,
  ]
}

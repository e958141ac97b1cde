import { sql } from 'kysely'
import { columnTypes } from '../../columns.ts'
import type { Statements } from './statements.ts'

/** Categories, projects and workspaces. Each list has an index in its own order, so that a page is a walk along it. */
export const collectionTables: Statements = (dialect) => {
  const { key } = columnTypes(dialect)
  return [
    sql`
      create table categories (
        tenant_id ${key} not null,
        id ${key} not null,
        name text not null,
        description text,
        parent_id ${key},
        sort_order bigint not null,
        created_at bigint not null,
        updated_at bigint not null,
        constraint categories_pk primary key (tenant_id, id),
        constraint categories_tenant foreign key (tenant_id) references tenants (tenant_id),
        constraint categories_parent foreign key (tenant_id, parent_id) references categories (tenant_id, id)
      )`,
    sql`create index categories_by_parent on categories (tenant_id, parent_id, id)`,
    sql`create index categories_below on categories (tenant_id, parent_id, sort_order, name, id)`,
    sql`create index categories_in_order on categories (tenant_id, sort_order, name, id)`,
    sql`create index categories_by_name on categories (tenant_id, parent_id, name)`,

    sql`
      create table projects (
        tenant_id ${key} not null,
        id ${key} not null,
        name text not null,
        description text,
        created_at bigint not null,
        updated_at bigint not null,
        constraint projects_pk primary key (tenant_id, id),
        constraint projects_tenant foreign key (tenant_id) references tenants (tenant_id)
      )`,
    sql`create index projects_by_name on projects (tenant_id, name, id)`,

    sql`
      create table workspaces (
        tenant_id ${key} not null,
        id ${key} not null,
        name text not null,
        description text,
        created_at bigint not null,
        updated_at bigint not null,
        constraint workspaces_pk primary key (tenant_id, id),
        constraint workspaces_tenant foreign key (tenant_id) references tenants (tenant_id)
      )`,
    sql`create index workspaces_by_name on workspaces (tenant_id, name, id)`,

    sql`
      create table workspace_members (
        tenant_id ${key} not null,
        workspace_id ${key} not null,
        user_id ${key} not null,
        constraint workspace_members_pk primary key (tenant_id, workspace_id, user_id),
        constraint workspace_members_workspace foreign key (tenant_id, workspace_id)
          references workspaces (tenant_id, id) on delete cascade,
        constraint workspace_members_user foreign key (tenant_id, user_id) references users (tenant_id, id)
      )`,
    sql`create index workspace_members_by_user on workspace_members (tenant_id, user_id)`,
  ]
}

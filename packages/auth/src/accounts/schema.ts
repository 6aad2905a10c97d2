import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, jsonb, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { moment, svcAuth } from '../pg-schema.ts'

export type AccountStatus = 'active' | 'suspended' | 'pending_deletion' | 'deleted'

/**
 * A role with what it grants. The grants are an array in the role's row, so that reading a caller stays one join and
 * a change of them one guarded statement on one row.
 */
export const roles = svcAuth.table('roles', {
  roleId: uuid('role_id').primaryKey(),
  name: text().notNull().unique(),
  displayName: text('display_name').notNull(),
  description: text(),
  priority: integer().notNull(),
  isBuiltin: boolean('is_builtin').notNull().default(false),
  isActive: boolean('is_active').notNull().default(true),
  permissions: text().array().notNull().default([]),
})

/**
 * What the application's code has declared so far, also of roles that no longer exist. So a restart
 * adds only what is new in the code, and doesn't restore what an administrator has removed.
 */
export const roleDeclarations = svcAuth.table('role_declarations', {
  name: text().primaryKey(),
  permissions: text().array().notNull().default([]),
})

/** Only the code declares these, and they are never deleted, so a role can always name one. */
export const permissions = svcAuth.table('permissions', {
  name: text().primaryKey(),
  displayName: text('display_name').notNull(),
  category: text().notNull(),
  isBuiltin: boolean('is_builtin').notNull().default(false),
})

export const users = svcAuth.table(
  'users',
  {
    userId: uuid('user_id').primaryKey(),
    /** The id that other users may see. */
    publicId: uuid('public_id').notNull().unique(),
    email: text().unique(),
    emailVerifiedAt: moment('email_verified_at'),
    phone: text().unique(),
    phoneVerifiedAt: moment('phone_verified_at'),
    username: text().unique(),
    passwordHash: text('password_hash'),
    passwordChangeRequired: boolean('password_change_required').notNull().default(false),
    /** The account of programs, which belongs to an organization. No person signs in to it. */
    isService: boolean('is_service').notNull().default(false),
    status: text().$type<AccountStatus>().notNull().default('active'),
    /**
     * One of its roles; the others are in `accountRoles`. A statement that sets it deletes those.
     */
    role: text()
      .notNull()
      .references(() => roles.name, { onUpdate: 'cascade' }),
    locale: text().notNull().default('en'),
    /**
     * Raised by every account-wide revocation. A credential that was checked against an older one,
     * such as the password of a login in progress, registers no key any more.
     */
    generation: integer().notNull().default(0),
    /** Set while the account has a second factor. */
    secondFactorSince: moment('second_factor_since'),
    /** Set while its deletion is pending: when it will be carried out. */
    purgeAt: moment('purge_at'),
    createdAt: moment('created_at').notNull(),
    lastLoginAt: moment('last_login_at'),
  },
  ({
    userId,
    email,
    phone,
    status,
    role,
    username,
    purgeAt,
    createdAt,
    lastLoginAt,
    ...service
  }) => [
    index('users_to_purge').on(purgeAt).where(sql`${purgeAt} is not null`),
    // For administrators: one index for each order in which users are listed. A search by the
    // beginning of an address, number or name needs the order of bytes.
    index('users_by_email').on(sql`${email} collate "C"`),
    index('users_by_phone').on(sql`${phone} collate "C"`),
    index('users_by_username').on(sql`${username} collate "C"`),
    index('users_by_created').on(createdAt, userId),
    index('users_by_last_login').on(lastLoginAt, userId),
    index('users_of_role').on(role, createdAt, userId),
    index('users_of_status').on(status, createdAt, userId).where(sql`${status} <> 'active'`),
    check('users_status', sql`${status} in ('active', 'suspended', 'pending_deletion', 'deleted')`),
    check('users_username_lower', sql`${username} = lower(${username})`),
    // With none of these, there is no way to sign in, and no mail or message can open one.
    check(
      'users_service',
      sql`not ${service.isService} or num_nonnulls(${email}, ${phone}, ${username}, ${service.passwordHash}) = 0`,
    ),
  ],
)

/**
 * The roles of an account besides the one in its own row. Most accounts have none here, and are
 * read as if this table didn't exist.
 */
export const accountRoles = svcAuth.table(
  'account_roles',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.userId, { onDelete: 'cascade' }),
    role: text()
      .notNull()
      .references(() => roles.name, { onUpdate: 'cascade' }),
    /**
     * When the account was created, which never changes. The accounts of a role are listed in that
     * order.
     */
    createdAt: moment('created_at').notNull(),
  },
  ({ userId, role, createdAt }) => [
    primaryKey({ columns: [userId, role] }),
    index('account_roles_of_role').on(role, createdAt, userId),
  ],
)

export const profiles = svcAuth.table(
  'profiles',
  {
    userId: uuid('user_id')
      .primaryKey()
      .references(() => users.userId, { onDelete: 'cascade' }),
    displayName: text('display_name'),
    firstName: text('first_name'),
    lastName: text('last_name'),
    avatarUrl: text('avatar_url'),
    bio: text(),
    timezone: text().notNull().default('UTC'),
    website: text(),
    location: text(),
    company: text(),
    jobTitle: text('job_title'),
    metadata: jsonb().$type<Record<string, unknown>>().notNull().default({}),
  },
  ({ userId, displayName }) => [
    index('profiles_by_name').on(sql`lower(${displayName}) collate "C"`, userId),
  ],
)

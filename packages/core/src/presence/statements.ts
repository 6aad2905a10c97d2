import type { QueryConfig } from 'pg'
import {
  type Follower,
  graceMillis,
  leaseMillis,
  mostAtOnce,
  type PresentSubject,
  type Resource,
} from './presence-store.ts'

const columnsOf = (subjects: readonly PresentSubject[]) => [
  subjects.map(({ channel }) => channel),
  subjects.map(({ resource }) => resource),
  subjects.map(({ subject }) => subject),
]

const given = 'unnest($1::text[], $2::text[], $3::text[]) as given (channel, resource, subject)'
const givenFollowers =
  'unnest($1::text[], $2::text[], $3::text[], $4::uuid[]) as given (channel, resource, subject, connection)'
const isGiven = `follower.channel = given.channel and follower.resource = given.resource
      and follower.subject = given.subject and follower.connection = given.connection`

/**
 * All locks of a transaction are taken at once and in one order, before it reads or writes any row.
 * If a process stops in between, it loses them, because others would wait for it.
 */
export const lock = (subjects: readonly PresentSubject[]): QueryConfig => ({
  name: 'svc_presence_lock',
  text: `
    select set_config('idle_in_transaction_session_timeout', '10s', true), pg_advisory_xact_lock(key)
    from (
      select distinct hashtextextended(concat_ws(E'\\n', channel, resource, subject), 390164) as key
      from ${given} order by key) keys`,
  values: columnsOf(subjects),
})

/** Those of them who follow. */
export const following = (subjects: readonly PresentSubject[]): QueryConfig => ({
  name: 'svc_presence_following',
  text: `
    select distinct channel, resource, subject from ${given}
    where exists (
      select from svc_core.followers follower
      where follower.channel = given.channel and follower.resource = given.resource
        and follower.subject = given.subject)`,
  values: columnsOf(subjects),
})

export const add = (followers: readonly Follower[], instance: string): QueryConfig => ({
  name: 'svc_presence_add',
  text: `
    insert into svc_core.followers (channel, resource, subject, connection, instance)
    select channel, resource, subject, connection, $5::uuid from ${givenFollowers}
    on conflict do nothing`,
  values: [...columnsOf(followers), followers.map(({ connection }) => connection), instance],
})

export const remove = (followers: readonly Follower[]): QueryConfig => ({
  name: 'svc_presence_remove',
  text: `
    delete from svc_core.followers follower using ${givenFollowers} where ${isGiven}
    returning follower.channel, follower.resource, follower.subject`,
  values: [...columnsOf(followers), followers.map(({ connection }) => connection)],
})

/** From here on, they have leases of their own. */
export const drop = (followers: readonly Follower[]): QueryConfig => ({
  name: 'svc_presence_drop',
  text: `
    update svc_core.followers follower set until = clock_timestamp() + $5::interval
    from ${givenFollowers} where ${isGiven}`,
  values: [
    ...columnsOf(followers),
    followers.map(({ connection }) => connection),
    `${graceMillis} milliseconds`,
  ],
})

/**
 * Connections whose lease has ended. If this application does not have a channel, this instance
 * can't tell that they have left. An instance of another release does that, unless none has done it
 * for an hour.
 */
export const due = (channels: readonly string[]): QueryConfig => ({
  name: 'svc_presence_due',
  text: `
    select channel, resource, subject, connection from (
      select follower.*, follower.until as ended
      from svc_core.followers follower where follower.until < now()
      union all
      select follower.*, instance.until
      from svc_core.presence_instances instance
      join svc_core.followers follower on follower.instance = instance.id and follower.until is null
      where instance.until < now()) follower
    where channel = any ($1::text[]) or ended < now() - interval '1 hour'
    limit ${mostAtOnce}`,
  values: [channels],
})

/**
 * The instances whose lease has ended. They can't renew it while their connections are dropped, and
 * then see that it was over. One that renews right now is left out.
 */
export const holdDead: QueryConfig = {
  name: 'svc_presence_dead',
  text: `
    select id from svc_core.presence_instances where until < now() for no key update skip locked`,
}

export const removeDue = (
  followers: readonly Follower[],
  dead: readonly string[],
): QueryConfig => ({
  name: 'svc_presence_remove_due',
  text: `
    delete from svc_core.followers follower using ${givenFollowers}
    where ${isGiven}
      and (follower.until < now() or follower.until is null and follower.instance = any ($5::uuid[]))
    returning follower.channel, follower.resource, follower.subject`,
  values: [...columnsOf(followers), followers.map(({ connection }) => connection), dead],
})

const lease = `${leaseMillis} milliseconds`

export const begin = (instance: string): QueryConfig => ({
  name: 'svc_presence_begin',
  text: `
    insert into svc_core.presence_instances (id, until)
    values ($1, clock_timestamp() + $2::interval) on conflict (id) do nothing`,
  values: [instance, lease],
})

/** Returns whether the lease was valid until then; nothing if the instance was dropped. */
export const renew = (instance: string): QueryConfig => ({
  name: 'svc_presence_renew',
  text: `
    update svc_core.presence_instances instance set until = clock_timestamp() + $2::interval
    from (
      select id, until > clock_timestamp() as "hasHeld" from svc_core.presence_instances
      where id = $1 for no key update) before
    where instance.id = before.id
    returning before."hasHeld"`,
  values: [instance, lease],
})

/** Unless it has less time than that. */
export const shorten = (instance: string): QueryConfig => ({
  name: 'svc_presence_shorten',
  text: `
    update svc_core.presence_instances
    set until = least(until, clock_timestamp() + $2::interval) where id = $1`,
  values: [instance, `${graceMillis} milliseconds`],
})

export const forgetEmpty: QueryConfig = {
  name: 'svc_presence_forget',
  text: `
    delete from svc_core.presence_instances instance
    where until < now() - interval '1 minute'
      and not exists (select from svc_core.followers where instance = instance.id)`,
}

export const present = ({ channel, resource }: Resource): QueryConfig => ({
  name: 'svc_presence_present',
  text: `
    select distinct subject
    from svc_core.followers follower
    join svc_core.presence_instances instance on instance.id = follower.instance
    where channel = $1 and resource = $2 and coalesce(follower.until, instance.until) > now()
    order by subject`,
  values: [channel, resource],
})

export const followersOf = (resources: readonly Resource[]): QueryConfig => ({
  name: 'svc_presence_followers',
  text: `
    select distinct channel, resource, subject
    from unnest($1::text[], $2::text[]) as given (channel, resource)
    join svc_core.followers using (channel, resource)`,
  values: [resources.map(({ channel }) => channel), resources.map(({ resource }) => resource)],
})

import { type HandlerContext, type RawContext, UnauthorizedError } from '@svc/core'
import type { Caller, CallerAccount } from './caller.ts'

type Context = RawContext | HandlerContext

const key = 'svc.caller'

/** Remembers for the rest of a request who signed it. */
export function setCaller(raw: RawContext, caller: Caller) {
  raw.set(key, caller)
}

/** @internal Whoever signed the request; undefined where nobody had to. */
export function callerOf(c: Context): Caller | undefined {
  return ('raw' in c ? c.raw : c).get<Caller>(key)
}

/** Whoever signed the request. A route that asks without `authenticate` before it refuses everybody. */
export function getAuth(c: Context): Caller {
  const caller = callerOf(c)
  if (!caller) throw new UnauthorizedError()
  return caller
}

/** Whoever signed the request, or null: for routes with `optionalAuth`. */
export function getOptionalAuth(c: Context): Caller | null {
  return callerOf(c) ?? null
}

export function getUser(c: Context): CallerAccount {
  return getAuth(c).user
}

export function getUserId(c: Context): string {
  return getAuth(c).userId
}

export function getRole(c: Context): string {
  return getAuth(c).role
}

export function getLocale(c: Context): string {
  return getAuth(c).locale
}

export function getKeyId(c: Context): string {
  return getAuth(c).keyId
}

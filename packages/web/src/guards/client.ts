import { type RefusedStatus, refusedStatusOf } from '../outage/outage.ts'

const prefix = 'svc-refused;'

export const refusedDigest = (status: RefusedStatus) => `${prefix}${status}`

/**
 * The status with which the API refused a page: 400 if its address is wrong, 401 if the user is
 * signed out, 403 if the user may not see it, or null. `error.tsx` gets nothing of the error but
 * its digest.
 */
export function refusedStatus({ digest }: { digest?: string | undefined }): RefusedStatus | null {
  return digest?.startsWith(prefix) ? refusedStatusOf(Number(digest.slice(prefix.length))) : null
}

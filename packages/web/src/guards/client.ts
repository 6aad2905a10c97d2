import { type RefusedStatus, refusedStatusOf } from '../outage/outage.ts'

const prefix = 'svc-refused;'

export const refusedDigest = (status: RefusedStatus) => `${prefix}${status}`

/**
 * The status with which the API refused a page: 400 if its address is wrong, 401 if nobody is signed in, 403 if the
 * user may not see it, or null. All that `error.tsx` is given of the error is its digest.
 */
export function refusedStatus({ digest }: { digest?: string | undefined }): RefusedStatus | null {
  return digest?.startsWith(prefix) ? refusedStatusOf(Number(digest.slice(prefix.length))) : null
}

import type { Variable } from '@svc/core'

/** The beginnings of numbers to which text messages may be sent, without the plus; `*` for any number. */
export type SmsCountries = '*' | readonly string[]

const problem =
  'must be a list of calling codes, such as 82,44,1, or * for every country; ' +
  'with area codes, such as 1212, it is that part of a country'

export const smsCountries: Variable<SmsCountries | undefined> = (given) => {
  if (given === undefined) return { value: undefined }
  if (given.trim() === '*') return { value: '*' }
  const codes = given.split(',').map((code) => code.trim().replace(/^\+/, ''))
  return codes.every((code) => /^[1-9]\d{0,6}$/.test(code)) ? { value: codes } : { problem }
}

/** Whether a number in E.164 format is in one of them. */
export function isInCountries(number: string, countries: SmsCountries) {
  return countries === '*' || countries.some((code) => number.startsWith(`+${code}`))
}

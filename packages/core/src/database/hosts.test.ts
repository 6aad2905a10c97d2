import { describe, expect, it } from 'vitest'
import { hostsOf } from './hosts.ts'

describe('hostsOf', () => {
  it.each([
    [
      'postgres://ada:s%2C3@one:5432,two/app',
      ['postgres://ada:s%2C3@one:5432/app', 'postgres://ada:s%2C3@two/app'],
    ],
    [
      'postgresql://one,two/app?sslmode=require&target_session_attrs=read-write',
      ['postgresql://one/app?sslmode=require', 'postgresql://two/app?sslmode=require'],
    ],
    [
      'postgres://one/app?target_session_attrs=primary&query_timeout=9',
      ['postgres://one/app?query_timeout=9'],
    ],
    ['postgres://one/app?target_session_attrs=any', ['postgres://one/app']],
    [
      'postgres://[::1]:5432,[fe80::2]:5433/app',
      ['postgres://[::1]:5432/app', 'postgres://[fe80::2]:5433/app'],
    ],
  ])('takes %s apart', (url, urls) => {
    expect(hostsOf(url)).toEqual(urls)
  })

  it.each([
    'postgres://ada:a,b@one:5432/app',
    'postgres://one/app,two',
    'postgres:///app?host=/run/one,/run/two',
    'embedded:./.svc/data',
  ])('leaves %s to the driver', (url) => {
    expect(hostsOf(url)).toBeNull()
  })

  it.each(['read-only', 'standby', 'prefer-standby'])(
    'refuses target_session_attrs=%s, with what it has to be',
    (wanted) => {
      expect(() => hostsOf(`postgres://one,two/app?target_session_attrs=${wanted}`)).toThrow(
        'target_session_attrs in the address of the database has to be read-write',
      )
    },
  )
})

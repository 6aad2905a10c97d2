import { describe, expect, it } from 'vitest'
import { hostsBeforePath, hostsOf } from './hosts.ts'

describe('hostsBeforePath', () => {
  it.each([
    ['postgres://a:b@/app?host=/cloudsql/p:r:i', 'postgres://a:b@%2Fcloudsql%2Fp%3Ar%3Ai/app'],
    ['postgres://a:b@/app?host=%2Frun%2Fpg&x=1', 'postgres://a:b@%2Frun%2Fpg/app?x=1'],
    ['postgres://a:b@/app?port=1&host=two', 'postgres://a:b@two:1/app'],
    ['postgres://a@one:5433/app?host=/run,two', 'postgres://a@%2Frun:5433,two:5433/app'],
    ['postgres:///app?host=::1', 'postgres://[::1]/app'],
  ])('brings %s to %s', (url, address) => {
    expect(hostsBeforePath(url)).toBe(address)
    expect(hostsBeforePath(address)).toBe(address)
  })

  it.each([
    'postgres://a:b@one:5432/app?sslmode=require',
    'postgres://a:b@127.0.0.1:5432/app?host=%2Frun',
    'postgres://a:b#c@/app?host=/run',
    'postgres://one/app?host=',
    'embedded:./.svc/data?host=/run',
    '',
  ])('leaves %s as it is', (url) => {
    expect(hostsBeforePath(url)).toBe(url)
  })
})

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
    [
      'postgres:///app?host=/run/one,/run/two',
      ['postgres://%2Frun%2Fone/app', 'postgres://%2Frun%2Ftwo/app'],
    ],
    [
      'postgres://ada:s@/app?host=/cloudsql/a:b:c,two,::1&port=5433,5432,&sslmode=disable',
      [
        'postgres://ada:s@%2Fcloudsql%2Fa%3Ab%3Ac:5433/app?sslmode=disable',
        'postgres://ada:s@two:5432/app?sslmode=disable',
        'postgres://ada:s@[::1]/app?sslmode=disable',
      ],
    ],
    [
      'postgres://ada@/app?host=/run/one&target_session_attrs=primary',
      ['postgres://ada@%2Frun%2Fone/app'],
    ],
  ])('takes %s apart', (url, urls) => {
    expect(hostsOf(url)).toEqual(urls)
  })

  it.each(['postgres://ada:a,b@one:5432/app', 'postgres://one/app,two', 'embedded:./.svc/data'])(
    'leaves %s to the driver',
    (url) => {
      expect(hostsOf(url)).toBeNull()
    },
  )

  it.each(['read-only', 'standby', 'prefer-standby'])(
    'refuses target_session_attrs=%s, with what it has to be',
    (wanted) => {
      expect(() => hostsOf(`postgres://one,two/app?target_session_attrs=${wanted}`)).toThrow(
        'target_session_attrs in the address of the database must be read-write',
      )
    },
  )
})

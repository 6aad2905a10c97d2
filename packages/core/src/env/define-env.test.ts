import { describe, expect, it } from 'vitest'
import {
  address,
  appPath,
  defineEnv,
  duration,
  EnvironmentError,
  flag,
  integer,
  list,
  oneOf,
  optional,
  required,
  text,
} from './env.ts'

const read = defineEnv({
  SECRET: required,
  NAME: text('svc'),
  NOTE: optional,
  PORT: integer({ initial: 8790, min: 0, max: 65_535 }),
  MODE: oneOf('auto', 'inline', 'queued'),
  SECURE: flag(false),
  LIFE: duration('7d'),
  SCOPES: list(['email', 'profile']),
  DATABASE_URL: address('postgres', 'embedded'),
})

const problemsOf = (source: Record<string, string>) => {
  try {
    read(source)
    return []
  } catch (error) {
    return (error as EnvironmentError).problems
  }
}

describe('defineEnv', () => {
  it('reads values and falls back to the initial ones', () => {
    expect(read({ SECRET: 's' })).toEqual({
      SECRET: 's',
      NAME: 'svc',
      NOTE: undefined,
      PORT: 8790,
      MODE: 'auto',
      SECURE: false,
      LIFE: 604_800_000,
      SCOPES: ['email', 'profile'],
      DATABASE_URL: undefined,
    })
    expect(
      read({
        SECRET: 's',
        PORT: '0',
        MODE: 'queued',
        SECURE: 'on',
        LIFE: '45m',
        SCOPES: 'a, b,,',
        DATABASE_URL: 'embedded:./x',
      }),
    ).toMatchObject({
      PORT: 0,
      MODE: 'queued',
      SECURE: true,
      LIFE: 2_700_000,
      SCOPES: ['a', 'b'],
      DATABASE_URL: 'embedded:./x',
    })
  })

  it('reports all problems at once, each with its name, and no value', () => {
    const source = {
      PORT: '70000',
      MODE: 'hunter2',
      SECURE: 'maybe',
      LIFE: 'a week',
      DATABASE_URL: 'mysql://u:hunter2@h/d',
    }
    const problems = problemsOf(source)

    expect(problems).toEqual([
      'SECRET is required',
      'PORT must be a whole number from 0 to 65535',
      'MODE must be one of: auto, inline, queued',
      'SECURE must be on or off',
      'LIFE must be a duration such as 7d, 12h or 45m',
      'DATABASE_URL must start with postgres: or embedded:',
    ])
    expect(() => read(source)).toThrow(EnvironmentError)
    expect(problems.join()).not.toContain('hunter2')
  })

  it('takes an empty variable for one that is not set', () => {
    expect(problemsOf({ SECRET: '' })).toEqual(['SECRET is required'])
    expect(read({ SECRET: 's', PORT: '' }).PORT).toBe(8790)
  })

  for (const port of ['1.5', '0x10', '1e3', ' 1', '-1', 'NaN']) {
    it(`refuses ${JSON.stringify(port)} as a whole number from 0`, () => {
      expect(problemsOf({ SECRET: 's', PORT: port })).toHaveLength(1)
    })
  }

  it('lets nothing live for no time', () => {
    expect(problemsOf({ SECRET: 's', LIFE: '0d' })).toHaveLength(1)
  })

  it('leaves a flag without an initial value open', () => {
    const readFlag = defineEnv({ SECURE: flag(undefined) })
    expect(readFlag({}).SECURE).toBeUndefined()
    expect(readFlag({ SECURE: 'off' }).SECURE).toBe(false)
  })

  const readPath = defineEnv({ PAGE: appPath('/initial') })

  it('takes a path of the web app', () => {
    expect(readPath({}).PAGE).toBe('/initial')
    expect(readPath({ PAGE: '/a/b%20c?d=e' }).PAGE).toBe('/a/b%20c?d=e')
  })

  for (const path of [
    'a',
    '//evil.example',
    '/\\evil.example',
    '/..//evil.example',
    '/a/../b',
    '/\t/evil.example',
    '@evil.example',
    'https://evil.example/',
    '/a b',
  ]) {
    it(`refuses ${JSON.stringify(path)} as a path of the web app`, () => {
      expect(() => readPath({ PAGE: path })).toThrow('PAGE must be a path of the web app')
    })
  }
})

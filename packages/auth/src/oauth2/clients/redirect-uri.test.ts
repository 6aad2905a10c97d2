import { describe, expect, it } from 'vitest'
import { isRedirectUri, isRedirectUriOf, redirectHost } from './redirect-uri.ts'

describe('a redirect URI', () => {
  it.each([
    'https://agent.example.com/',
    'https://agent.example.com:8443/callback?tenant=1',
    'http://127.0.0.1/callback',
    'http://127.0.0.1:33418/',
    'http://[::1]:5000/callback',
    'http://localhost:5000/callback',
    'com.example.agent:/callback',
    'com.example.agent://callback',
  ])('may be %s', (uri) => {
    expect(isRedirectUri(uri)).toBe(true)
  })

  it.each([
    '',
    '/callback',
    '//agent.example.com/callback',
    'agent.example.com/callback',
    'http://agent.example.com/callback',
    'http://127.0.0.2/callback',
    'http://127.1/callback',
    'http://localhost./callback',
    'http://localhost.example.com/callback',
    'http://127.0.0.1.example.com/callback',
    'http://[::ffff:127.0.0.1]/callback',
    'http://192.168.0.1/callback',
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'data.x,:alert(1)',
    'file:///etc/passwd',
    'vbscript:x',
    'blob:https://agent.example.com/1',
    'about:blank',
    'ftp://agent.example.com/',
    'ws://localhost/',
    'myagent:/callback',
    'urn:ietf:wg:oauth:2.0:oob',
    'https://agent.example.com/#here',
    'https://agent.example.com/#',
    'com.example.agent:/callback#',
    'https://user@agent.example.com/',
    'https://user:password@agent.example.com/',
    'https://@agent.example.com/',
    'com.example.agent://user@callback',
    'https://agent.example.com',
    'https://Agent.example.com/',
    'HTTPS://agent.example.com/',
    'https://agent.example.com:443/',
    'https:agent.example.com/',
    'https:/agent.example.com/',
    'https:\\\\agent.example.com/',
    'https://agent.example.com\\@evil.example/',
    'https://agent.example.com/a/../b',
    'https://agent.example.com/%2e%2e/b',
    'https://agent.example.com/a b',
    'https://agent.example.com/a\tb',
    'https://agent.example.com/\u0000',
    'https://agent.example.com/é',
    'https://ägent.example.com/',
    ' https://agent.example.com/',
    'https://agent.example.com/ ',
    'https://agent.example.com/\r\nset-cookie: a=b',
    'com.example.agent:/a\u0000b',
    'com.example.agent:a b',
  ])('is not %j', (uri) => {
    expect(isRedirectUri(uri)).toBe(false)
  })

  const redirectUris = [
    'https://agent.example.com/callback',
    'http://127.0.0.1/callback',
    'http://[::1]:1234/callback',
    'http://localhost:1234/callback?x=1',
  ]
  it.each([
    ...redirectUris,
    'http://127.0.0.1:49152/callback',
    'http://[::1]/callback',
    'http://[::1]:65535/callback',
    'http://localhost:49152/callback?x=1',
  ])('is answered at %s', (given) => {
    expect(isRedirectUriOf({ redirectUris }, given)).toBe(true)
  })

  it.each([
    'https://agent.example.com:8443/callback',
    'https://agent.example.com/callback/',
    'https://agent.example.com/callback?x=1',
    'https://agent.example.com/Callback',
    'https://agent.example.com/callback/../callback',
    'https://AGENT.example.com/callback',
    'https://agent.example.com.evil.example/callback',
    'http://agent.example.com/callback',
    'https://127.0.0.1:49152/callback',
    'http://localhost:49152/callback',
    'http://127.0.0.2:49152/callback',
    'http://127.0.0.1:49152/other',
    'http://127.0.0.1:49152/callback?x=1',
    'http://127.0.0.1:49152/callback#x',
    'http://127.0.0.1:x/callback',
    'http://127.0.0.1:99999/callback',
    'http://127.0.0.1:49152@evil.example/callback',
    'http://user@127.0.0.1:49152/callback',
    'http://127.0.0.1:49152\\@evil.example/callback',
    'http://127.0.0.1.evil.example:49152/callback',
    'http://2130706433:49152/callback',
    'http://127.0.0.1:49152/x/../callback',
    '',
  ])('is not %j of a client that has others', (given) => {
    expect(isRedirectUriOf({ redirectUris }, given)).toBe(false)
  })

  it('is known to people by its host, and an app by its scheme alone', () => {
    expect(redirectHost('https://agent.example.com:8443/x')).toBe('agent.example.com:8443')
    expect(redirectHost('com.evil.agent://accounts.google.com/x')).toBe('com.evil.agent:')
    expect(redirectHost('accounts.google.com:/x')).toBe('accounts.google.com:')
  })
})

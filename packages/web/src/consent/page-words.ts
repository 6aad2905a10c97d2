import { type Html, html } from '@svc/core/html'
import { chooseLanguage, languagesAskedFor } from '../page/client.ts'
import type { FactorProblem, ProofProblem } from './consent-stage.ts'

const factorProblems: Record<FactorProblem, string> = {
  wrong: 'This code is wrong or was already used. Enter the next one.',
  'too many': 'Too many wrong codes. Try again in a few minutes.',
  'no code':
    'Your second step is a passkey. This page can’t ask for it, and you have no recovery code. Sign out and sign in with the passkey. Then start again in the program that sent you here, within a few minutes.',
}

const proofProblems: Record<ProofProblem, string> = {
  'wrong password': 'This password is wrong.',
  'wrong code': 'This code is wrong or has expired. Request a new one.',
  'too many': 'Too many tries. Try again in a few minutes.',
}

/** A page that the application draws has these titles. */
export const english = {
  lang: 'en',
  titles: {
    consent: 'Allow access',
    'step-up': 'Confirm that it is you',
    proof: 'Confirm that it is you',
    invalid: 'Request does not work',
    return: 'Going back',
    unavailable: 'Not right now',
  },
  question: (client: Html) => html`Allow ${client} to use your account?`,
  signIn: (client: Html) => html`Sign in to ${client} with your account?`,
  onceMore:
    'Nothing was decided, because your session has changed. Check the request and choose again.',
  caution:
    'The program chose this name itself. Allow it only if you just asked for this and know where it redirects to.',
  signInCaution: 'It never gets your password. Allow it only if you just started to sign in there.',
  settings:
    'It never gets your password. You can disconnect it at any time in your account settings.',
  confirm: 'Confirm that it is you',
  enterFactor: (client: Html) => html`To allow ${client}, enter a code of your second step.`,
  factorAbout: 'The six digits of your authenticator app, or one of your recovery codes.',
  factorProblems,
  longAgo: 'You signed in here a while ago.',
  enterCode: (client: Html, target: string) =>
    html`To allow ${client}, enter the code that was sent to ${target}.`,
  enterPassword: (client: Html) => html`To allow ${client}, enter your password.`,
  sendFirst: (client: Html, target: string) => html`To allow ${client}, send a code to ${target}.`,
  signInAgain: 'Sign out and sign in again. Then start again in the program that sent you here.',
  proofProblems,
  code: 'Code',
  password: 'Your password',
  send: (target: string) => `Send a code to ${target}`,
  sendAgain: (target: string) => `Send another code to ${target}`,
  redirectsTo: 'It redirects to',
  identifiedBy: 'It is identified by',
  account: 'Your account',
  owner: 'Connect it for',
  yourself: 'Yourself',
  ownerAbout:
    'For an organization, it may do what your roles there allow. It stays when you leave.',
  resource: 'What it can use',
  scopes: 'It will be able to',
  app: 'an app on this device',
  opens: (scheme: Html) => html`which opens ${scheme}`,
  program: 'a program on this device',
  at: (host: Html) => html`at ${host}`,
  allow: 'Allow',
  deny: 'Deny',
  invalid: 'This request does not work',
  expired: 'It has expired.',
  tooLong: 'It is too long.',
  nothing:
    'Nothing was allowed. Start again in the program that sent you here. If this happens again, tell the people who make it.',
  start: 'Go to the start page',
  returning: 'Going back',
  goOn: (address: string) =>
    html`We are sending you back to the program that sent you here. If nothing happens, <a href="${address}">continue yourself</a>.`,
  close: 'Then you can close this page.',
  unavailable: 'This does not work right now',
  later: 'We could not reach the service. Nothing was decided. Try again in a minute.',
  retry: 'Try again',
}

export type PageWords = typeof english

const korean: PageWords = {
  lang: 'ko',
  titles: {
    consent: '접근 허용',
    'step-up': '본인 확인',
    proof: '본인 확인',
    invalid: '처리할 수 없는 요청',
    return: '돌아가는 중',
    unavailable: '지금은 사용할 수 없음',
  },
  question: (client) => html`${client}: 이 프로그램이 회원님의 계정을 사용하도록 허용할까요?`,
  signIn: (client) => html`${client}: 회원님의 계정으로 로그인할까요?`,
  onceMore: '세션이 바뀌어 아무것도 결정하지 않았습니다. 요청을 확인한 뒤 다시 선택하세요.',
  caution:
    '프로그램이 스스로 정한 이름입니다. 방금 직접 요청했고 어디로 이동하는지 아는 경우에만 허용하세요.',
  signInCaution:
    '회원님의 비밀번호는 전달되지 않습니다. 방금 그곳에서 로그인을 시작한 경우에만 허용하세요.',
  settings:
    '회원님의 비밀번호는 전달되지 않습니다. 계정 설정에서 언제든지 연결을 끊을 수 있습니다.',
  confirm: '본인 확인',
  enterFactor: (client) => html`${client} 프로그램을 허용하려면 2단계 인증 코드를 입력하세요.`,
  factorAbout: '인증 앱의 여섯 자리 숫자 또는 복구 코드 하나를 입력하세요.',
  factorProblems: {
    wrong: '코드가 틀렸거나 이미 사용되었습니다. 다음 코드를 입력하세요.',
    'too many': '틀린 코드가 너무 많습니다. 몇 분 후에 다시 시도하세요.',
    'no code':
      '2단계 인증이 패스키입니다. 이 페이지에서는 패스키를 요청할 수 없고, 복구 코드도 없습니다. 로그아웃한 뒤 패스키로 로그인하세요. 그런 다음 몇 분 안에 이 페이지로 보낸 프로그램에서 다시 시작하세요.',
  },
  longAgo: '로그인한 지 오래되었습니다.',
  enterCode: (client, target) =>
    html`${client} 프로그램을 허용하려면 ${target} 앞으로 보낸 코드를 입력하세요.`,
  enterPassword: (client) => html`${client} 프로그램을 허용하려면 비밀번호를 입력하세요.`,
  sendFirst: (client, target) =>
    html`${client} 프로그램을 허용하려면 ${target} 앞으로 코드를 보내세요.`,
  signInAgain:
    '로그아웃한 뒤 다시 로그인하세요. 그런 다음 이 페이지로 보낸 프로그램에서 다시 시작하세요.',
  proofProblems: {
    'wrong password': '비밀번호가 틀렸습니다.',
    'wrong code': '코드가 틀렸거나 만료되었습니다. 새 코드를 요청하세요.',
    'too many': '시도가 너무 많습니다. 몇 분 후에 다시 시도하세요.',
  },
  code: '코드',
  password: '비밀번호',
  send: (target) => `코드 보내기: ${target}`,
  sendAgain: (target) => `코드 다시 보내기: ${target}`,
  redirectsTo: '이동할 곳',
  identifiedBy: '프로그램의 식별 주소',
  account: '회원님의 계정',
  owner: '연결 대상',
  yourself: '본인',
  ownerAbout: '조직에서는 회원님의 역할이 허용하는 일을 합니다. 회원님이 나가도 유지됩니다.',
  resource: '사용할 수 있는 대상',
  scopes: '허용하면 할 수 있는 일',
  app: '이 기기의 앱',
  opens: (scheme) => html`여는 주소: ${scheme}`,
  program: '이 기기의 프로그램',
  at: (host) => html`주소: ${host}`,
  allow: '허용',
  deny: '거부',
  invalid: '이 요청은 처리할 수 없습니다',
  expired: '만료되었습니다.',
  tooLong: '너무 깁니다.',
  nothing:
    '아무것도 허용하지 않았습니다. 이 페이지로 보낸 프로그램에서 다시 시작하세요. 같은 일이 다시 생기면 프로그램을 만든 곳에 알려 주세요.',
  start: '시작 페이지로 이동',
  returning: '돌아가는 중',
  goOn: (address) =>
    html`이 페이지로 보낸 프로그램으로 돌아가는 중입니다. 아무 일도 일어나지 않으면 <a href="${address}">직접 이동</a>하세요.`,
  close: '그런 다음 이 페이지를 닫아도 됩니다.',
  unavailable: '지금은 사용할 수 없습니다',
  later: '서비스에 연결하지 못했습니다. 아무것도 결정하지 않았습니다. 1분 후에 다시 시도하세요.',
  retry: '다시 시도',
}

const languages: Readonly<Record<string, PageWords>> = { en: english, ko: korean }

/** The words in the first of these languages that the page has. */
export function wordsIn(wanted: readonly string[]) {
  return languages[chooseLanguage(wanted, Object.keys(languages))] ?? english
}

/** In the language of the browser, as long as no account is known. */
export function wordsOfBrowser({ headers }: Request) {
  return wordsIn(languagesAskedFor(headers.get('accept-language')))
}

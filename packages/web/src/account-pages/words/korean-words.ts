import type { AccountWords } from './account-words.ts'

/** Korean, in the words of our mails. A test says which sentence it lacks. */
export const koreanWords: AccountWords = {
  'It was used, has expired, or is incomplete. Under Security you see whether you have a second step.':
    '이미 사용되었거나 만료되었거나 완전하지 않습니다. 보안에서 2단계 인증이 있는지 확인할 수 있습니다.',
  'Keep it': '삭제하지 않기',
  '<strong>Allow only a program that you started yourself, just now.</strong> It must show the same code. If someone sent you this code or a link, deny the request.':
    '<strong>방금 직접 실행한 프로그램만 허용하세요.</strong> 프로그램에 같은 코드가 표시되어야 합니다. 다른 사람이 이 코드나 링크를 보냈다면 요청을 거부하세요.',
  'A program that showed you a code': '코드를 표시한 프로그램',
  'A program in a terminal can show a code too.': '터미널의 프로그램도 코드를 표시할 수 있습니다.',
  'The program chose this name itself.': '이 이름은 프로그램이 직접 정한 것입니다.',
  'This code was used or has expired. Start again in the program.':
    '이미 사용되었거나 만료된 코드입니다. 프로그램에서 다시 시작하세요.',
  'Go back to the program.': '프로그램으로 돌아가세요.',
  'Keep your second step': '2단계 인증 유지',
  'Keeping it…': '유지하는 중…',
  'Someone else asked in your name, and may know your password. Set <link>a new password</link>.':
    '다른 사람이 회원님의 이름으로 요청했으며 비밀번호를 알고 있을 수 있습니다. <link>새 비밀번호</link>를 설정해 주세요.',
  'Support was asked to remove a second step of your sign-in. It goes on {time}, unless you keep it.':
    '로그인의 2단계 인증을 삭제해 달라는 요청이 고객 지원에 접수되었습니다. 유지하지 않으면 {time}에 삭제됩니다.',
  'Support was asked to remove a second step of your sign-in. You can keep it. If you asked for it, close this page.':
    '로그인의 2단계 인증을 삭제해 달라는 요청이 고객 지원에 접수되었습니다. 삭제하지 않을 수 있습니다. 직접 요청하셨다면 이 페이지를 닫아 주세요.',
  'Your company allowed it, at {issuer}.': '회사에서 허용했습니다({issuer}).',
  'Your second step stays': '2단계 인증이 유지됩니다',
  'What it can do now, and what it did': '지금 할 수 있는 일과 한 일',
  'It did nothing that the audit trail has.': '감사 기록에 남은 일이 없습니다.',
  refused: '거부됨',
  '{name} · not allowed: it needs {needs}': '{name} · 허용되지 않음: {needs} 필요',
  '{used} of {limit} requests in {window}': '{window} 동안 요청 {limit}건 중 {used}건',
  '{used} of {limit} rows in {window}': '{window} 동안 행 {limit}개 중 {used}개',
  '{count} minutes': '{count}분',
  '{email} is yours. <link>Use another address</link>':
    '{email} 주소를 확인했습니다. <link>다른 주소 사용</link>',
  '{seconds} seconds': '{seconds}초',
  '1 second': '1초',
  'A bound session ends within hours unless you renew it with your passkey. So does a copy that an attacker made.':
    '패스키에 연결된 세션은 패스키로 갱신하지 않으면 몇 시간 안에 끝납니다. 공격자가 만든 사본도 마찬가지입니다.',
  'A code for support': '고객 지원용 코드',
  'A code has six digits.': '코드는 여섯 자리 숫자입니다.',
  'A copy of your data': '내 데이터 사본',
  'Accept the invitation': '초대 수락',
  'Accepting it…': '수락하는 중…',
  'Account not deleted? <link>Sign in</link>': '계정을 삭제하지 않았나요? <link>로그인</link>',
  'All {count} devices are signed out.': '기기 {count}대에서 모두 로그아웃되었습니다.',
  'Already have an account? <link>Sign in</link>': '이미 계정이 있나요? <link>로그인</link>',
  'An invitation works once. The person who sent it can cancel it or send another one.':
    '초대는 한 번만 쓸 수 있습니다. 보낸 사람이 취소하거나 다시 보낼 수 있습니다.',
  Cancel: '취소',
  'Check your mail': '메일을 확인하세요',
  'Checking the link…': '링크를 확인하는 중…',
  'Checking…': '확인하는 중…',
  'Choose a password.': '비밀번호를 정하세요.',
  'Choose another one.': '다른 비밀번호를 정하세요.',
  Code: '코드',
  Continue: '계속',
  'Continue with {provider}': '{provider}로 계속',
  'Copied.': '복사했습니다.',
  Copy: '복사',
  'Create account': '계정 만들기',
  'Create an account': '계정 만들기',
  'Creating…': '만드는 중…',
  Email: '이메일',
  'End session': '세션 종료',
  'End the support session of {name}? They can no longer use your account.':
    '{name} 님의 고객 지원 세션을 종료할까요? 더 이상 회원님의 계정을 사용할 수 없습니다.',
  'Enter a valid email address.': '올바른 이메일 주소를 입력하세요.',
  'Enter the email of your account. We send a link there.':
    '계정의 이메일을 입력하세요. 그 주소로 링크를 보냅니다.',
  'Enter your email.': '이메일을 입력하세요.',
  'Enter your password.': '비밀번호를 입력하세요.',
  'Forgot your password?': '비밀번호를 잊으셨나요?',
  'Forgotten password': '비밀번호 찾기',
  'Give a code only to support that you contacted yourself. If someone calls you and asks for a code, don’t tell them one.':
    '직접 문의한 고객 지원에만 코드를 알려 주세요. 누군가 전화로 코드를 물어보면 알려 주지 마세요.',
  Hide: '숨기기',
  'Hide what is typed': '입력한 내용 숨기기',
  'If something is wrong': '문제가 생겼다면',
  'If you already have an account, the message tells you so.':
    '이미 계정이 있으면 메일에서 알려 드립니다.',
  Invitation: '초대',
  'It expires {time}.': '{time} 만료됩니다.',
  'It has expired.': '만료되었습니다.',
  'It has fewer than 8 characters.': '8자보다 짧습니다.',
  'It has more than 256 characters.': '256자보다 깁니다.',
  'It is in a public list of leaked passwords.': '유출된 비밀번호 목록에 있습니다.',
  'It is not safe enough.': '충분히 안전하지 않습니다.',
  'It is set.': '설정되어 있습니다.',
  'It is too easy to guess.': '추측하기 쉽습니다.',
  'It is your email or your username.': '이메일이나 사용자 이름과 같습니다.',
  'It no longer works. For another session, support needs a new code.':
    '이 코드는 더 이상 쓸 수 없습니다. 다시 접속하려면 고객 지원에 새 코드가 필요합니다.',
  'It was used or has expired, or we sent a newer one. Request another link:':
    '이미 사용했거나 만료되었거나 더 새로운 링크를 보냈습니다. 링크를 다시 요청하세요:',
  'It works once, and expires in {time}.': '한 번만 쓸 수 있으며 {time} 후에 만료됩니다.',
  'Let support use your account?': '고객 지원이 계정을 사용하도록 할까요?',
  'Loading your invitation…': '초대를 불러오는 중…',
  'Loading…': '불러오는 중…',
  Manage: '관리',
  'New here? <link>Create an account</link>': '처음이신가요? <link>계정 만들기</link>',
  'New password': '새 비밀번호',
  'No account has this email. Create one first.':
    '이 이메일을 쓰는 계정이 없습니다. 먼저 계정을 만드세요.',
  'No device was signed in.': '로그인된 기기가 없었습니다.',
  'No keyboard, or no password? <link>Sign in with another device</link>':
    '키보드나 비밀번호가 없나요? <link>다른 기기로 로그인</link>',
  'No message? Check your spam folder.': '메일이 오지 않았나요? 스팸함을 확인하세요.',
  Notes: '안내',
  'One device is signed out.': '기기 한 대에서 로그아웃되었습니다.',
  'Open the link in your mail, or request another one:': '메일의 링크를 열거나 다시 요청하세요:',
  'Open the newest mail': '가장 최근 메일을 여세요',
  'Opening {provider}…': '{provider} 여는 중…',
  or: '또는',
  Password: '비밀번호',
  'Remember your password? <link>Sign in</link>': '비밀번호가 기억나나요? <link>로그인</link>',
  'Restore my account': '계정 복구',
  'Restore the email': '이메일 되돌리기',
  'Restore your account': '계정 복구',
  'Restoring it…': '되돌리는 중…',
  'Restoring…': '복구하는 중…',
  'Saving…': '저장하는 중…',
  'Send another code': '코드 다시 보내기',
  'Send another link': '링크 다시 보내기',
  'Send code': '코드 보내기',
  'Send link': '링크 보내기',
  'Sending…': '보내는 중…',
  'Set password': '비밀번호 설정',
  Show: '보기',
  'Show a code': '코드 보기',
  'Show a new code': '새 코드 보기',
  'Show what is typed': '입력한 내용 보기',
  'Sign in': '로그인',
  'Sign in instead': '로그인하기',
  'Sign in with a passkey': '패스키로 로그인',
  'Sign out': '로그아웃',
  'Signing in…': '로그인하는 중…',
  'Signing out…': '로그아웃하는 중…',
  Support: '고객 지원',
  'Support can use your account for up to an hour, if you give them a code.':
    '코드를 알려 주면 고객 지원이 최대 한 시간 동안 계정을 사용할 수 있습니다.',
  'Support can use your account. This ends {minutes}.':
    '고객 지원이 계정을 사용할 수 있습니다. {minutes}에 끝납니다.',
  'Support is signed in to your account until {time}.':
    '고객 지원이 {time}까지 회원님의 계정에 로그인해 있습니다.',
  'Support is signed in to your account: <strong>{name}</strong>, until {time}.':
    '고객 지원(<strong>{name}</strong>)이 {time}까지 회원님의 계정에 로그인해 있습니다.',
  'Support session': '고객 지원 세션',
  'Support used your code': '고객 지원이 코드를 사용했습니다',
  'Tell this code only to the support agent you are talking to':
    '지금 상담 중인 고객 지원 담당자에게만 이 코드를 알려 주세요',
  'That took too long. Send another code.': '시간이 지났습니다. 코드를 다시 보내세요.',
  'The server does not answer right now. Try again in a moment.':
    '지금은 서버가 응답하지 않습니다. 잠시 후 다시 시도하세요.',
  'The email or the password is wrong.': '이메일 또는 비밀번호가 틀렸습니다.',
  'The support session is over.': '고객 지원 세션이 종료되었습니다.',
  'The support session of {name} is over.': '{name} 님의 고객 지원 세션이 종료되었습니다.',
  'They can see and change what you can see and change here.':
    '회원님이 여기서 보고 바꿀 수 있는 것을 보고 바꿀 수 있습니다.',
  'They can’t change your password, your passkeys, your second step, your email or your devices.':
    '비밀번호, 패스키, 2단계 인증, 이메일, 기기는 바꿀 수 없습니다.',
  'They can’t download your data, and can’t delete your account.':
    '데이터를 내려받거나 계정을 삭제할 수 없습니다.',
  'This account is going to be deleted.': '이 계정은 삭제될 예정입니다.',
  'This account is suspended.': '이 계정은 정지되었습니다.',
  'This browser can’t use passkeys. Sign in another way.':
    '이 브라우저에서는 패스키를 쓸 수 없습니다. 다른 방법으로 로그인하세요.',
  'This code is wrong or has expired. Request a new one.':
    '코드가 틀렸거나 만료되었습니다. 새 코드를 요청하세요.',
  'This email already has an account.': '이 이메일을 쓰는 계정이 이미 있습니다.',
  'This invitation does not work': '이 초대는 쓸 수 없습니다',
  'This link does not work': '이 링크는 쓸 수 없습니다',
  'This link no longer works': '이 링크는 더 이상 쓸 수 없습니다',
  'This page needs a link': '이 페이지에는 링크가 필요합니다',
  'This page was open for too long. Try again.':
    '페이지를 너무 오래 열어 두었습니다. 다시 시도하세요.',
  'Too many tries. Try again in {time}.': '시도가 너무 많습니다. {time} 후에 다시 시도하세요.',
  'Try again': '다시 시도',
  Undo: '실행 취소',
  'Undo a change': '변경 되돌리기',
  'Use 8 to 256 characters. Don’t choose a common password.':
    '8자에서 256자까지 쓰세요. 흔한 비밀번호는 피하세요.',
  'Use another address': '다른 주소 사용',
  'Waiting for your passkey…': '패스키를 기다리는 중…',
  'Waiting…': '기다리는 중…',
  'Was this not you?': '본인이 아니었나요?',
  'Ways to create an account': '계정을 만드는 방법',
  'Ways to restore an account': '계정을 복구하는 방법',
  'Ways to sign in': '로그인 방법',
  'We send a code to this address, to check that it is yours.':
    '본인의 주소인지 확인하려고 이 주소로 코드를 보냅니다.',
  'We send a link to this address, to check that it is yours.':
    '본인의 주소인지 확인하려고 이 주소로 링크를 보냅니다.',
  'We sent a message to {email}. Its link works once, until {expiresAt}.':
    '{email} 주소로 메일을 보냈습니다. 링크는 {expiresAt}까지 한 번만 쓸 수 있습니다.',
  'We sent another code.': '코드를 다시 보냈습니다.',
  'We sent another link. The old one no longer works.':
    '링크를 다시 보냈습니다. 이전 링크는 더 이상 쓸 수 없습니다.',
  'With a code by email': '이메일 코드로',
  'With a link by email': '이메일 링크로',
  'With the code, a support agent can use your account for up to an hour:':
    '코드가 있으면 고객 지원 담당자가 최대 한 시간 동안 계정을 사용할 수 있습니다.',
  'With your password': '비밀번호로',
  'Yes, end it': '종료',
  'You are already signed in': '이미 로그인되어 있습니다',
  'You can send another link in 30 seconds.': '30초 후에 링크를 다시 보낼 수 있습니다.',
  'You can still restore it: <link>Restore the account</link>':
    '아직 복구할 수 있습니다: <link>계정 복구</link>',
  'You get no message if there is no account with this email.':
    '이 이메일을 쓰는 계정이 없으면 메일이 오지 않습니다.',
  'You opened the link in your mail. Continue to set a new password.':
    '메일의 링크를 열었습니다. 계속해서 새 비밀번호를 정하세요.',
  'You set a new password for {email}. This signs out every other device.':
    '{email} 계정의 새 비밀번호를 정합니다. 다른 모든 기기에서 로그아웃됩니다.',
  'You were signed out on this device.': '이 기기에서 로그아웃되었습니다.',
  'Your account is closed': '계정이 닫혔습니다',
  'Your account is created, and you are signed in.': '계정이 만들어졌고 로그인되었습니다.',
  'Your account is restored': '계정이 복구되었습니다',
  'Your account pages show that support is signed in. You can end it there.':
    '고객 지원이 로그인해 있으면 계정 페이지에 표시되며, 거기서 종료할 수 있습니다.',
  'Your browser did not copy it. Select the text and copy it yourself.':
    '브라우저에서 복사하지 못했습니다. 텍스트를 선택해 직접 복사하세요.',
  'Your new password is set. Every other device is signed out.':
    '새 비밀번호가 설정되었습니다. 다른 모든 기기에서 로그아웃되었습니다.',
  '{clientName} asks to sign you out here': '{clientName}: 여기에서도 로그아웃하도록 요청했습니다',
  '{clientName} is disconnected. It can no longer use your account.':
    '{clientName}: 연결을 끊었습니다. 더 이상 회원님의 계정을 사용할 수 없습니다.',
  '{count} connected agents': '연결된 에이전트 {count}개',
  '{count} linked accounts': '연결된 계정 {count}개',
  '{count} other devices': '다른 기기 {count}대',
  '{count} passkeys': '패스키 {count}개',
  '{days} days': '{days}일',
  '{done} Two-step sign-in is off.': '{done} 2단계 인증이 꺼졌습니다.',
  '{email} is invited to create an account here, as {role}. The invitation expires on {day}.':
    '{email} 주소로 초대받았습니다. 여기서 {role} 역할의 계정을 만들 수 있습니다. 초대는 {day}에 만료됩니다.',
  '{email} is yours.': '{email} 주소를 확인했습니다.',
  '{more} more': '그 외 {more}개',
  '{name} (key {key}) is registered for {time} and has no permissions.':
    '{name}(키 {key})의 등록이 끝났습니다. 기간은 {time}이며 권한은 없습니다.',
  '{name} (key {key}) is registered for {time} and has the permissions {names}.':
    '{name}(키 {key})의 등록이 끝났습니다. 기간은 {time}이며 권한은 다음과 같습니다: {names}.',
  '{name} is added. You can now sign in with it.':
    '{name}: 패스키를 추가했습니다. 이제 이 패스키로 로그인할 수 있습니다.',
  '{name} is no longer a second step.': '{name}: 더 이상 2단계 인증에 쓰이지 않습니다.',
  '{name} is now a second step.': '{name}: 이제 2단계 인증에 쓸 수 있습니다.',
  '{name} is removed.': '{name}: 삭제했습니다.',
  '{name} is removed. You can no longer sign in with it.':
    '{name}: 삭제했습니다. 더 이상 이 패스키로 로그인할 수 없습니다.',
  '{name} is signed out.': '{name}: 로그아웃했습니다.',
  '{names} can sign in until {time}. If you did not approve this, sign out all other devices. That also ends the approval.':
    '{time}까지 로그인할 수 있는 기기: {names}. 직접 승인하지 않았다면 다른 모든 기기에서 로그아웃하세요. 그러면 승인도 취소됩니다.',
  '{own} Also signed out: {names}.': '{own} 함께 로그아웃됨: {names}.',
  '{provider} is linked. You can sign in with it now.':
    '{provider} 계정을 연결했습니다. 이제 이 계정으로 로그인할 수 있습니다.',
  '{provider} is unlinked. You can no longer sign in with it.':
    '{provider} 계정의 연결을 해제했습니다. 더 이상 이 계정으로 로그인할 수 없습니다.',
  '{remaining} are left.': '{remaining}개 남았습니다.',
  '<strong>Approve only a device that is in front of you.</strong> It signs in as {as}. If someone sent you this code or asks you for it, deny the request.':
    '<strong>지금 앞에 있는 기기만 승인하세요.</strong> 승인하면 {as} 계정으로 로그인됩니다. 누군가 이 코드를 보냈거나 물어보았다면 거부하세요.',
  '<strong>Change your password:</strong> someone else may know it. <link>Change it</link>':
    '<strong>비밀번호를 변경하세요.</strong> 다른 사람이 알고 있을 수 있습니다. <link>변경하기</link>',
  '1 call waits for you': '승인을 기다리는 호출 1개',
  '{count} calls wait for you': '승인을 기다리는 호출 {count}개',
  'Nothing waits for you': '승인을 기다리는 호출이 없습니다',
  Approvals: '승인',
  'What programs may do for you only once you approve it, each time.':
    '프로그램이 매번 승인을 받아야만 할 수 있는 일입니다.',
  'Loading what waits for you…': '승인 대기 목록을 불러오는 중…',
  'Approve only what you asked for. Each approval is for one call with these values.':
    '직접 요청한 것만 승인하세요. 승인은 이 값으로 한 번만 유효합니다.',
  'When a program asks for your approval, what it wants to do appears here.':
    '프로그램이 승인을 요청하면 여기에 표시됩니다.',
  'Asked by': '요청자',
  Operation: '작업',
  Refuse: '거부',
  'An agent': '에이전트',
  'A machine': '기계',
  'A device': '기기',
  'Approved. The program can do this once, within ten minutes.':
    '승인했습니다. 10분 안에 한 번 실행할 수 있습니다.',
  'Refused. The program has done nothing.': '거부했습니다. 아무 일도 하지 않았습니다.',
  'This was decided elsewhere, or it was too late.': '다른 곳에서 결정되었거나 시간이 지났습니다.',
  'See what waits for your approval': '승인 대기 목록 보기',
  '1 connected agent': '연결된 에이전트 1개',
  '1 linked account': '연결된 계정 1개',
  '1 other device': '다른 기기 1대',
  '1 passkey': '패스키 1개',
  'A cookie is missing': '쿠키가 없습니다',
  'a day': '하루',
  'A name has at most 64 characters. Enter a shorter one.':
    '이름은 64자까지 쓸 수 있습니다. 더 짧은 이름을 입력하세요.',
  'A name that you will recognize. Without one, we name it after where it is stored.':
    '알아보기 쉬운 이름을 쓰세요. 비워 두면 저장된 곳에 따라 이름을 붙입니다.',
  'A new password signs out every other device. Someone who knows the old one is signed out too.':
    '새 비밀번호를 정하면 다른 모든 기기에서 로그아웃됩니다. 이전 비밀번호를 아는 사람도 로그아웃됩니다.',
  'A new password signs out every other device. This one stays signed in.':
    '새 비밀번호를 정하면 다른 모든 기기에서 로그아웃됩니다. 이 기기에서는 로그인이 유지됩니다.',
  'a passkey': '패스키',
  'a private network ({plain})': '사설 네트워크({plain})',
  'a program on this device, at {host}': '이 기기의 프로그램({host})',
  'A program on your computer': '내 컴퓨터의 프로그램',
  'A recovery code has ten letters and digits.': '복구 코드는 영문자와 숫자 열 자리입니다.',
  'A script, a CI job or an agent signs requests for you with its own key, and never has your password. You choose its permissions, and after how many days its key expires.':
    '스크립트, CI 작업, 에이전트가 자체 키로 요청에 서명하며, 회원님의 비밀번호는 갖지 않습니다. 어떤 권한을 줄지, 키가 며칠 뒤에 만료될지 직접 정합니다.',
  'About you': '소개',
  Accepted: '수락됨',
  Account: '계정',
  'Add a passkey': '패스키 추가',
  'Add one': '추가하기',
  'Added {since}.': '{since} 추가했습니다.',
  'Added {since}. {expiry}': '{since} 추가했습니다. {expiry}',
  Address: '주소',
  Administrator: '관리자',
  'After that: we erase your email, your username and your profile.':
    '그 후: 이메일, 사용자 이름, 프로필을 모두 지웁니다.',
  Agents: '에이전트',
  All: '전체',
  Allow: '허용',
  'Allow {clientName} to use your account?':
    '{clientName}: 이 프로그램이 회원님의 계정을 사용하도록 허용할까요?',
  'Allowed {since}.': '{since} 허용했습니다.',
  'Already linked': '이미 연결되어 있습니다',
  'Also create recovery codes under Two-step sign-in, in case you lose it.':
    '잃어버릴 때를 대비해 2단계 인증에서 복구 코드도 만드세요.',
  'Also used from another place': '다른 곳에서도 사용됨',
  'An account here already has this email address, and the address is not verified on both sides. Sign in to that account another way, then link the other service.':
    '이 이메일 주소를 쓰는 계정이 이미 있으며, 주소가 양쪽에서 모두 확인되지는 않았습니다. 다른 방법으로 그 계정에 로그인한 뒤 다른 서비스를 연결하세요.',
  'An account of this service is already linked. Reload the page to see it.':
    '이 서비스의 계정이 이미 연결되어 있습니다. 페이지를 새로 고치면 볼 수 있습니다.',
  'an app on this device, which opens {scheme}': '이 기기의 앱({scheme} 주소를 엽니다)',
  'An app ({slice})': '앱({slice})',
  'An attacker who learns your password can sign in with it. With an authenticator app, they also need your phone. You enter six digits on each new device, and before you change security settings.':
    '공격자가 비밀번호를 알아내면 로그인할 수 있습니다. 인증 앱을 쓰면 휴대전화까지 있어야 합니다. 새 기기에서 로그인할 때와 보안 설정을 바꾸기 전에 여섯 자리 숫자를 입력합니다.',
  'an authenticator app': '인증 앱',
  'an unknown place': '알 수 없는 곳',
  Android: 'Android',
  'Android device': 'Android 기기',
  'Another account uses this email. Enter another one.':
    '이 이메일은 다른 계정에서 쓰고 있습니다. 다른 이메일을 입력하세요.',
  'Another one is linked': '다른 계정이 연결되어 있습니다',
  'Another page shows this one inside it, so you can’t decide here. Open this page in a tab of its own.':
    '다른 페이지가 이 페이지를 안에 넣어 보여 주고 있어 여기서 결정할 수 없습니다. 이 페이지를 새 탭에서 여세요.',
  Approve: '승인',
  Approved: '승인됨',
  'Approved, not signed in yet': '승인되었지만 아직 로그인하지 않음',
  'Are you still there?': '아직 계신가요?',
  'as {role} · invited {since}': '{role} 역할 · {since} 초대',
  Asked: '요청한 때',
  'Back to your profile': '프로필로 돌아가기',
  'Bind this session': '이 세션 묶기',
  'Bind this session to a passkey': '이 세션을 패스키에 묶기',
  'Binding it…': '묶는 중…',
  'Bound to a passkey': '패스키에 묶임',
  'Can’t use a passkey now? {signOutButton}': '지금 패스키를 쓸 수 없나요? {signOutButton}',
  'Cancel invitation': '초대 취소',
  'Cancel the invitation? The link sent to {email} stops working.':
    '초대를 취소할까요? {email} 주소로 보낸 링크를 더 이상 쓸 수 없습니다.',
  Cancelled: '취소됨',
  'Change email': '이메일 변경',
  'Change it': '변경하기',
  'Change password': '비밀번호 변경',
  'Change your email': '이메일 변경',
  'Change your password first': '먼저 비밀번호를 변경하세요',
  'Change your password first, under Security.': '먼저 보안에서 비밀번호를 변경하세요.',
  'Changing it…': '변경하는 중…',
  'Checking this username…': '사용자 이름을 확인하는 중…',
  'Choose another password. {passwordRule}': '다른 비밀번호를 정하세요. {passwordRule}',
  Confirm: '확인',
  'Confirm that it is you': '본인 확인',
  'Confirm your second step again. Your action continues by itself.':
    '2단계 인증을 다시 확인하세요. 하던 작업은 자동으로 이어집니다.',
  'Connected agents': '연결된 에이전트',
  'Continue with your passkey': '패스키로 계속',
  'Copy the key': '키 복사',
  'Create new codes': '새 코드 만들기',
  'Create new ones soon.': '곧 새 코드를 만드세요.',
  'Create recovery codes': '복구 코드 만들기',
  'Create ten new codes? Your old codes will stop working.':
    '새 코드 열 개를 만들까요? 이전 코드는 더 이상 쓸 수 없습니다.',
  'Current password': '현재 비밀번호',
  Days: '일수',
  Delete: '삭제',
  'Delete it': '삭제하기',
  'Delete my account': '내 계정 삭제',
  'Delete the invitation of {email} permanently? An account created with it stays.':
    '{email} 초대를 영구히 삭제할까요? 초대로 만든 계정은 그대로 남습니다.',
  'Delete this account': '이 계정 삭제',
  'Delete your account': '계정 삭제',
  'Delete your account now? This signs out every device at once, including this one.':
    '지금 계정을 삭제할까요? 이 기기를 포함한 모든 기기에서 바로 로그아웃됩니다.',
  'Deleting…': '삭제하는 중…',
  Denied: '거부됨',
  Deny: '거부',
  'Desktop app': '데스크톱 앱',
  'Details<span> of {deviceName}</span>': '자세히<span>: {deviceName}</span>',
  'Device without a name': '이름 없는 기기',
  Devices: '기기',
  Disconnect: '연결 끊기',
  'Disconnect {clientName}? It can no longer use your account. You can allow it again later.':
    '{clientName}: 연결을 끊을까요? 더 이상 회원님의 계정을 사용할 수 없습니다. 나중에 다시 허용할 수 있습니다.',
  'Disconnect {clientName}? Your company can allow it again, at {issuer}.':
    '{clientName}: 연결을 끊을까요? 회사에서 다시 허용할 수 있습니다({issuer}).',
  'Disconnect {clientName}? It gets access again if {through} calls it. To prevent that, disconnect {through}.':
    '{clientName}: 연결을 끊을까요? {through}에서 호출하면 다시 접근할 수 있습니다. 이를 막으려면 {through}의 연결을 끊으세요.',
  'Disconnect agents that you don’t use or don’t know.':
    '쓰지 않거나 모르는 에이전트는 연결을 끊으세요.',
  'Do you already have an account with this address? <link>Sign in</link>':
    '이 주소의 계정이 이미 있나요? <link>로그인</link>',
  'Do you have the key of a script or an agent? <link>Register a machine key</link>':
    '스크립트나 에이전트의 키가 있나요? <link>프로그램 키 등록</link>',
  'Do you know your password? <link>Sign in</link>': '비밀번호를 알고 있나요? <link>로그인</link>',
  'Does a device show you a code? <link>Link a device</link>':
    '기기에 코드가 표시되나요? <link>기기 연결</link>',
  'Don’t share the code. A person who approves it signs this browser in to their own account.':
    '코드를 다른 사람에게 알려 주지 마세요. 코드를 승인하는 사람의 계정으로 이 브라우저가 로그인됩니다.',
  'Done:': '완료:',
  Download: '내려받기',
  'Download my data': '내 데이터 내려받기',
  'Download your profile, your devices and the records of your account as a JSON file. It contains no passwords and no keys.':
    '프로필, 기기, 계정 기록을 JSON 파일로 내려받습니다. 비밀번호와 키는 들어 있지 않습니다.',
  'Each works once, in place of your authenticator app or passkey.':
    '인증 앱이나 패스키 대신 각 코드를 한 번씩 쓸 수 있습니다.',
  'Eight letters and digits. Upper and lower case are the same.':
    '영문자와 숫자 여덟 자리입니다. 대문자와 소문자를 구분하지 않습니다.',
  'Email me a code': '이메일로 코드 받기',
  End: '종료',
  'End it and sign out all other devices': '승인을 취소하고 다른 모든 기기에서 로그아웃',
  'End the approval and sign out all other devices? This one stays signed in.':
    '승인을 취소하고 다른 모든 기기에서 로그아웃할까요? 이 기기에서는 로그인이 유지됩니다.',
  'End the binding': '묶기 해제',
  'End the binding? An attacker who copies this session can then use it until its key expires. You need a passkey to confirm.':
    '묶기를 해제할까요? 그러면 이 세션을 복사한 공격자가 키가 만료될 때까지 세션을 쓸 수 있습니다. 확인하려면 패스키가 필요합니다.',
  'Enter a name.': '이름을 입력하세요.',
  'Enter a whole number of days from 1 to 365.': '1에서 365까지의 정수로 일수를 입력하세요.',
  'Enter another code': '다른 코드 입력',
  'Enter the code that it shows': '기기에 표시된 코드를 입력하세요',
  'Enter the code that the device shows.': '기기에 표시된 코드를 입력하세요.',
  'Enter the code.': '코드를 입력하세요.',
  'Enter the new email.': '새 이메일을 입력하세요.',
  'Enter the six digits that we sent to {email}. They expire at {expiresAt}. {mailboxHint}':
    '{email} 주소로 보낸 여섯 자리 숫자를 입력하세요. {expiresAt}에 만료됩니다. {mailboxHint}',
  'Everything is as before. No device is signed in yet.':
    '모두 이전과 같습니다. 아직 어떤 기기도 로그인되어 있지 않습니다.',
  Expired: '만료됨',
  'Expires in': '남은 시간',
  'expires within an hour': '한 시간 안에 만료',
  'For 30 days: we keep everything, and you can restore the account with your password or a code sent to your email.':
    '30일 동안: 모든 것을 보관하며, 비밀번호나 이메일로 받은 코드로 계정을 복구할 수 있습니다.',
  'From 1 to 365.': '1에서 365까지 쓸 수 있습니다.',
  'Gave access to: {names}.': '이 기기가 승인한 것: {names}.',
  'Give it as few as it needs. With none, it can do what every signed-in user can do.':
    '꼭 필요한 권한만 주세요. 권한이 없으면 로그인한 사용자 누구나 할 수 있는 일만 할 수 있습니다.',
  'Go to the start page': '시작 페이지로 이동',
  'Got access through {through}.': '접근 권한을 넘겨준 에이전트: {through}.',
  'I have saved them': '저장했습니다',
  'If this happens again, tell the people who make the program what this page says.':
    '같은 일이 다시 생기면 이 페이지의 내용을 프로그램을 만든 곳에 알려 주세요.',
  'If this happens again, tell the people who run this app what this page says.':
    '같은 일이 다시 생기면 이 페이지의 내용을 이 앱의 운영자에게 알려 주세요.',
  'If you did not delete it yourself, someone else used your account: restore it, then set <link>a new password</link>.':
    '직접 삭제하지 않았다면 다른 사람이 계정을 사용한 것입니다. 계정을 복구한 뒤 <link>새 비밀번호</link>를 설정하세요.',
  'If you did not delete it yourself, someone else used your account: set <link>a new password</link>.':
    '직접 삭제하지 않았다면 다른 사람이 계정을 사용한 것입니다. <link>새 비밀번호</link>를 설정하세요.',
  'If you lose your phone or passkey, each code signs you in once. <strong>We show them only once.</strong> Save them where you keep your passwords, or on paper.':
    '휴대전화나 패스키를 잃어버려도 각 코드로 한 번씩 로그인할 수 있습니다. <strong>코드는 지금 한 번만 보여 드립니다.</strong> 비밀번호를 보관하는 곳이나 종이에 저장하세요.',
  'If you lose your phone or passkey, each code signs you in once. New codes replace the old ones.':
    '휴대전화나 패스키를 잃어버려도 각 코드로 한 번씩 로그인할 수 있습니다. 새 코드는 이전 코드를 대신합니다.',
  'In development, open <link>the mailbox</link>.': '개발 중에는 <link>메일함</link>을 여세요.',
  'In use now': '사용 중',
  Invitations: '초대',
  Invite: '초대하기',
  'Invite someone': '초대 보내기',
  'Inviting…': '초대하는 중…',
  'iPhone or iPad': 'iPhone 또는 iPad',
  'Is this the device in front of you?': '지금 앞에 있는 기기인가요?',
  'It has no permissions.': '권한이 없습니다.',
  'It is identified by': '프로그램의 식별 주소',
  'It is {restores} again. {signedOut}': '이제 다시 {restores}입니다. {signedOut}',
  'It is off': '꺼져 있습니다',
  'It is off.': '꺼져 있습니다.',
  'It is on': '켜져 있습니다',
  'It is on, with {methods}.': '켜져 있습니다. 인증 수단: {methods}.',
  'It is too long.': '너무 깁니다.',
  'It is too old, or another tab of this browser shows a newer code.':
    '코드가 오래되었거나, 이 브라우저의 다른 탭에 더 새로운 코드가 있습니다.',
  'It is your only second step, so this turns off two-step sign-in and removes your recovery codes.':
    '하나뿐인 2단계 인증 수단이므로 2단계 인증이 꺼지고 복구 코드도 삭제됩니다.',
  'It may:': '할 수 있는 일:',
  'It never gets your password. Allow it only if you just started to sign in there.':
    '회원님의 비밀번호는 전달되지 않습니다. 방금 그곳에서 로그인을 시작한 경우에만 허용하세요.',
  'It never gets your password. You can disconnect it at any time under <link>Agents</link>.':
    '회원님의 비밀번호는 전달되지 않습니다. <link>에이전트</link>에서 언제든지 연결을 끊을 수 있습니다.',
  'It redirects to': '이동할 곳',
  'It took too long, had too many wrong codes, or is already finished. <link>Sign in again</link>':
    '시간이 너무 지났거나, 틀린 코드가 너무 많았거나, 이미 끝난 로그인입니다. <link>다시 로그인</link>',
  'It was used, has expired, or is incomplete. If the account is still yours, set <link>a new password</link>. That signs out every other device.':
    '이미 사용했거나 만료되었거나 불완전한 링크입니다. 계정이 아직 본인의 것이라면 <link>새 비밀번호</link>를 설정하세요. 다른 모든 기기에서 로그아웃됩니다.',
  'It will be able to': '허용하면 할 수 있는 일',
  'Connect it for': '연결 대상',
  'Its key does not expire.': '키가 만료되지 않습니다.',
  'Its key expires {days}.': '키가 {days} 만료됩니다.',
  'Its key expires within a day.': '키가 하루 안에 만료됩니다.',
  'Its key has expired.': '키가 만료되었습니다.',
  'just now': '방금',
  Key: '키',
  'Key {key}: does the device show the same key? If not, deny the request.':
    '키 {key}: 기기에도 같은 키가 표시되나요? 다르다면 요청을 거부하세요.',
  'Key expires': '키 만료',
  Kind: '종류',
  Language: '언어',
  'Last used': '마지막 사용',
  'Last used {since}': '마지막 사용: {since}',
  'Last used {since}.': '마지막 사용: {since}.',
  'Leave without saving your recovery codes? You can’t see them again.':
    '복구 코드를 저장하지 않고 나갈까요? 다시 볼 수 없습니다.',
  'Link {provider}': '{provider} 연결',
  'Link a device': '기기 연결',
  'Link an account': '계정 연결',
  'Link an account and sign in with it, without a password.':
    '계정을 연결하면 비밀번호 없이 그 계정으로 로그인할 수 있습니다.',
  'Link another device': '다른 기기 연결',
  'Linked {since}.': '{since} 연결했습니다.',
  'Linked accounts': '연결된 계정',
  'Loading the invitations…': '초대를 불러오는 중…',
  'Loading your code…': '코드를 불러오는 중…',
  'Loading your connected agents…': '연결된 에이전트를 불러오는 중…',
  'Loading your devices…': '기기를 불러오는 중…',
  'Loading your linked accounts…': '연결된 계정을 불러오는 중…',
  'Loading your passkeys…': '패스키를 불러오는 중…',
  'Loading your profile…': '프로필을 불러오는 중…',
  'Loading your second step…': '2단계 인증을 불러오는 중…',
  'Lost all of these? Ask the people who run this site to help you sign in.':
    '모두 잃어버렸나요? 이 사이트의 운영자에게 로그인을 도와 달라고 하세요.',
  'Lost your phone or passkey? Use a recovery code.':
    '휴대전화나 패스키를 잃어버렸나요? 복구 코드를 쓰세요.',
  'Machine key': '프로그램 키',
  'Machine keys': '프로그램 키',
  'Made on {day}. Older codes no longer work.':
    '{day}에 만들었습니다. 이전 코드는 더 이상 쓸 수 없습니다.',
  'Many people are signing in right now. {wait} Keep this page open. It continues by itself.':
    '지금 로그인하는 사람이 많습니다. {wait} 이 페이지를 열어 두세요. 자동으로 이어집니다.',
  'Must sign in again {days}.': '{days} 다시 로그인해야 합니다.',
  'Must sign in again within a day.': '하루 안에 다시 로그인해야 합니다.',
  'Must sign in again.': '다시 로그인해야 합니다.',
  Name: '이름',
  'Needs its passkey again {hours}.': '{hours} 패스키를 다시 확인해야 합니다.',
  'Needs its passkey again within an hour.': '한 시간 안에 패스키를 다시 확인해야 합니다.',
  'Needs its passkey to continue.': '계속하려면 패스키가 필요합니다.',
  'New email': '새 이메일',
  'No account has this email, or it was deleted permanently.':
    '이 이메일을 쓰는 계정이 없거나, 계정이 영구히 삭제되었습니다.',
  'No account was created': '계정이 만들어지지 않았습니다',
  'No answer': '응답이 없습니다',
  'No connected agents': '연결된 에이전트가 없습니다',
  'No device is waiting with this code. Compare it with the code on the device.':
    '이 코드를 기다리는 기기가 없습니다. 기기에 표시된 코드와 비교하세요.',
  'No linked accounts yet': '아직 연결된 계정이 없습니다',
  'No passkey was used.': '패스키를 쓰지 않았습니다.',
  'No passkeys yet': '아직 패스키가 없습니다',
  'not known': '알 수 없음',
  'Not signed in': '로그인되지 않았습니다',
  'Not used yet': '아직 쓰지 않음',
  'Not used yet.': '아직 쓰지 않았습니다.',
  'Not you? <link>Start over</link>': '본인이 아닌가요? <link>처음부터 다시</link>',
  'Nothing has changed: no account was linked. Your data stays with the other service.':
    '바뀐 것은 없습니다. 계정이 연결되지 않았습니다. 회원님의 데이터는 다른 서비스에 그대로 있습니다.',
  'Nothing has changed: you were not signed in. Your data stays with the other service.':
    '바뀐 것은 없습니다. 로그인되지 않았습니다. 회원님의 데이터는 다른 서비스에 그대로 있습니다.',
  'Nothing was signed out.': '로그아웃하지 않았습니다.',
  'Nothing was allowed. Start again in the program that sent you here.':
    '아무것도 허용하지 않았습니다. 이 페이지로 보낸 프로그램에서 다시 시작하세요.',
  'Nothing was decided, because your session has changed. Reload the page, check the request and choose again.':
    '세션이 바뀌어 아무것도 결정하지 않았습니다. 페이지를 새로 고치고 요청을 확인한 뒤 다시 선택하세요.',
  'Nothing was done. Confirm that it is you first, or sign in again.':
    '실행되지 않았습니다. 먼저 본인 확인을 하거나 다시 로그인하세요.',
  'Nothing was done. Confirm your second step first.':
    '실행되지 않았습니다. 먼저 2단계 인증을 확인하세요.',
  'Nothing was saved. Choose another username.':
    '저장되지 않았습니다. 다른 사용자 이름을 정하세요.',
  'Now: every device is signed out, and you can’t sign in.':
    '지금: 모든 기기에서 로그아웃되며 로그인할 수 없습니다.',
  'On a device where you are signed in, open <strong>{host}/device</strong> and enter:':
    '로그인되어 있는 기기에서 <strong>{host}/device</strong> 페이지를 열고 다음을 입력하세요:',
  'On a new device, you need your password and something that only you have.':
    '새 기기에서는 비밀번호와 본인만 가진 것이 필요합니다.',
  'On a security key.': '보안 키에 있습니다.',
  'On one device only.': '기기 한 대에만 있습니다.',
  'On one device or security key only.': '기기 한 대나 보안 키에만 있습니다.',
  'On one device. It can be synced.': '기기 한 대에 있으며, 동기화할 수 있습니다.',
  'On the new device, choose “Sign in with another device”. It shows a code. Enter that code here.':
    '새 기기에서 “다른 기기로 로그인”을 선택하세요. 코드가 표시됩니다. 그 코드를 여기에 입력하세요.',
  'On the other device, someone chose “Deny” or signed out everywhere.':
    '다른 기기에서 누군가 “거부”를 선택했거나 모든 곳에서 로그아웃했습니다.',
  'One moment': '잠시만 기다려 주세요',
  'One more step': '한 단계 더 남았습니다',
  'One of the ten codes that you saved. Each works once.':
    '저장해 둔 코드 열 개 중 하나입니다. 각 코드는 한 번만 쓸 수 있습니다.',
  'Only one is left.': '하나만 남았습니다.',
  'Open in your authenticator app': '인증 앱에서 열기',
  'Open the link in your newest invitation mail. If it does not work, the invitation was used or cancelled, or has expired. Ask the person who invited you for another one.':
    '가장 최근에 받은 초대 메일의 링크를 여세요. 열리지 않으면 이미 사용했거나 취소되었거나 만료된 초대입니다. 초대한 사람에게 다시 요청하세요.',
  'Opening the link changes nothing, because mail programs open links too.':
    '메일 프로그램도 링크를 열기 때문에, 링크를 여는 것만으로는 아무것도 바뀌지 않습니다.',
  'Opening the link changes nothing. Your account is created when you choose a password.':
    '링크를 여는 것만으로는 아무것도 바뀌지 않습니다. 비밀번호를 정하면 계정이 만들어집니다.',
  'Or type this key into the app:': '또는 앱에 이 키를 입력하세요:',
  'Other applications that use this account may sign you out, too.':
    '이 계정을 사용하는 다른 애플리케이션에서도 로그아웃될 수 있습니다.',
  'Other devices': '다른 기기',
  'Others may see it. Letters a to z, digits, “.”, “_” and “-”.':
    '다른 사람이 볼 수 있습니다. 영문자 a–z, 숫자, “.”, “_”, “-”를 쓸 수 있습니다.',
  Pages: '페이지',
  'Passkey on one device': '한 기기의 패스키',
  Passkeys: '패스키',
  'Paste the text that the program printed.': '프로그램이 출력한 텍스트를 붙여 넣으세요.',
  'Paste the text that the program prints after it creates its key. It is public. The private half stays with the program.':
    '프로그램이 키를 만든 뒤 출력하는 텍스트를 붙여 넣으세요. 공개해도 되는 내용입니다. 비밀 키는 프로그램에만 있습니다.',
  Permissions: '권한',
  'Permissions: {names}.': '권한: {names}.',
  'Preparing the file…': '파일을 준비하는 중…',
  'Preparing…': '준비하는 중…',
  Profile: '프로필',
  Program: '프로그램',
  'Program without a name': '이름 없는 프로그램',
  'Programs that you allowed to act for you. None of them has your password.':
    '회원님 대신 작업하도록 허용한 프로그램입니다. 회원님의 비밀번호를 가진 프로그램은 없습니다.',
  'QR code for your authenticator app': '인증 앱용 QR 코드',
  'Recovery code': '복구 코드',
  'Recovery codes': '복구 코드',
  'Recovery codes of {account} for {host}': '{host} 사이트의 {account} 계정 복구 코드',
  'Register the key': '키 등록',
  'Registering…': '등록하는 중…',
  Registration: '등록 정보',
  Remove: '삭제',
  'Remove {name}? The program can no longer sign requests, and needs a new key.':
    '{name}: 삭제할까요? 이 프로그램은 더 이상 요청에 서명할 수 없으며 새 키가 필요합니다.',
  'Remove {name}? You can no longer sign in with it.':
    '{name}: 삭제할까요? 더 이상 이 패스키로 로그인할 수 없습니다.',
  Rename: '이름 바꾸기',
  'Replace it if someone may have copied it, or to stay signed in longer. The old key stops working at once.':
    '누군가 키를 복사했을 수 있거나 로그인을 더 오래 유지하고 싶다면 교체하세요. 이전 키는 바로 쓸 수 없게 됩니다.',
  'Replace the key': '키 교체',
  'Replacing it…': '교체하는 중…',
  'Restore a deleted account': '삭제한 계정 복구',
  'Restore the phone number': '전화번호 되돌리기',
  Role: '역할',
  Save: '저장',
  'Save your recovery codes': '복구 코드를 저장하세요',
  'Saved with your account.': '계정과 함께 저장됩니다.',
  'Scan this with the app': '앱으로 이 코드를 스캔하세요',
  'Second step': '2단계 인증',
  Security: '보안',
  'Security key': '보안 키',
  'See your devices': '기기 보기',
  'Send a code to {target}': '코드 보내기: {target}',
  'Send again': '다시 보내기',
  'Sent invitations': '보낸 초대',
  'Set up an authenticator app': '인증 앱 설정',
  'Set up your authenticator app': '인증 앱 설정',
  'Sign in again': '다시 로그인',
  'Sign in to {clientName} with your account?': '{clientName}: 회원님의 계정으로 로그인할까요?',
  'Sign in another way': '다른 방법으로 로그인',
  'Sign in first. We take you there…': '먼저 로그인하세요. 로그인 페이지로 이동하는 중…',
  'Sign in with an account that you have at another service.':
    '다른 서비스의 계정으로 로그인합니다.',
  'Sign in with another device': '다른 기기로 로그인',
  'Sign in with your fingerprint, your face or your screen lock instead of a password. You never type a passkey, so an attacker can’t trick you into revealing it.':
    '비밀번호 대신 지문, 얼굴, 화면 잠금으로 로그인합니다. 패스키는 입력할 일이 없으므로 공격자가 속여서 알아낼 수 없습니다.',
  'Sign out {devices}? This one stays signed in.':
    '{devices}에서 로그아웃할까요? 이 기기에서는 로그인이 유지됩니다.',
  'Sign out {name}? It must sign in again to continue.':
    '{name}: 로그아웃할까요? 계속 사용하려면 다시 로그인해야 합니다.',
  'Sign out all other devices': '다른 모든 기기에서 로그아웃',
  'Sign out and continue': '로그아웃하고 계속',
  'Sign out every device, including this one? To sign in again, you need your password or a code.':
    '이 기기를 포함한 모든 기기에서 로그아웃할까요? 다시 로그인하려면 비밀번호나 코드가 필요합니다.',
  'Sign out everywhere': '모든 곳에서 로그아웃',
  'Sign out here? To sign in again, you need your password or a code.':
    '여기서 로그아웃할까요? 다시 로그인하려면 비밀번호나 코드가 필요합니다.',
  'Sign out this device': '이 기기에서 로그아웃',
  'Sign out, sign in again, and come back to this page.':
    '로그아웃하고 다시 로그인한 뒤 이 페이지로 돌아오세요.',
  'Sign these out too': '이 항목들도 로그아웃',
  'Signed in': '로그인한 때',
  'Signed in {since} from {place}. {until}': '{since} {place}에서 로그인했습니다. {until}',
  'Signed in until': '로그인 유지 기한',
  'Signed out: {devices}.': '로그아웃됨: {devices}.',
  'Signing in did not work. Try again, or sign in another way.':
    '로그인하지 못했습니다. 다시 시도하거나 다른 방법으로 로그인하세요.',
  'Signing you in…': '로그인하는 중…',
  'Six digits. The app shows a new code every 30 seconds.':
    '여섯 자리 숫자입니다. 앱은 30초마다 새 코드를 표시합니다.',
  'Started somewhere else': '다른 곳에서 시작되었습니다',
  'Stay signed in': '로그인 유지',
  'Stays signed in.': '로그인이 유지됩니다.',
  'Stop using as second step': '2단계 인증에서 제외',
  'Super administrator': '최고 관리자',
  'Synced passkey': '동기화된 패스키',
  'Synced to all devices of the same password manager.':
    '같은 비밀번호 관리자를 쓰는 모든 기기에 동기화됩니다.',
  'Take your data with you': '데이터 가져가기',
  'That did not work': '처리하지 못했습니다',
  'That took too long. Cancel, then start again.': '시간이 지났습니다. 취소한 뒤 다시 시작하세요.',
  'That took too long, or you started in another browser or tab. Start again.':
    '시간이 지났거나 다른 브라우저나 탭에서 시작했습니다. 다시 시작하세요.',
  'That took too long. Start again with your email.':
    '시간이 지났습니다. 이메일 입력부터 다시 시작하세요.',
  'That took too long. Try again.': '시간이 지났습니다. 다시 시도하세요.',
  'That was refused: {message}': '요청이 거부되었습니다: {message}',
  'That was wrong. Check it and try again.': '틀렸습니다. 확인하고 다시 시도하세요.',
  'That was wrong. Check it and try again. A sign-in ends after five tries or ten minutes. Then start over.':
    '틀렸습니다. 확인하고 다시 시도하세요. 다섯 번 틀리거나 10분이 지나면 로그인이 끝납니다. 그때는 처음부터 다시 시작하세요.',
  'The account here with your email address is linked to another account of that service. Sign in with that one, or another way. To use this one, unlink the other one first.':
    '이 이메일 주소를 쓰는 계정에 그 서비스의 다른 계정이 연결되어 있습니다. 그 계정이나 다른 방법으로 로그인하세요. 이 계정을 쓰려면 먼저 다른 계정의 연결을 해제하세요.',
  'The browser did not keep a cookie, or this site has two addresses. Allow cookies for this site and start again here.':
    '브라우저에 쿠키가 저장되지 않았거나 이 사이트의 주소가 두 개입니다. 이 사이트의 쿠키를 허용하고 여기서 다시 시작하세요.',
  'The current password is wrong.': '현재 비밀번호가 틀렸습니다.',
  'The device signs in as you in a moment. You have nothing else to do.':
    '잠시 후 기기가 회원님의 계정으로 로그인됩니다. 더 할 일은 없습니다.',
  'The device signs in as you, with its own key. You can sign it out at any time under <link>Devices</link>.':
    '기기가 자체 키로 회원님의 계정에 로그인됩니다. <link>기기</link>에서 언제든지 로그아웃할 수 있습니다.',
  'The devices where you are signed in. Each has its own key. When you sign a device out, it stops working at once.':
    '로그인되어 있는 기기입니다. 기기마다 자체 키가 있습니다. 기기에서 로그아웃하면 바로 쓸 수 없게 됩니다.',
  'The email of your account was changed. You can change it back to {restores} until {expiresAt}.':
    '계정의 이메일이 변경되었습니다. {expiresAt}까지 {restores} 주소로 되돌릴 수 있습니다.',
  'The email or the password is wrong, or the account was deleted permanently.':
    '이메일 또는 비밀번호가 틀렸거나, 계정이 영구히 삭제되었습니다.',
  'the invitation of {email}': '{email} 초대',
  'The invitation of {to} is cancelled. Its link no longer works.':
    '{to} 초대를 취소했습니다. 링크를 더 이상 쓸 수 없습니다.',
  'The invitation of {to} is deleted.': '{to} 초대를 삭제했습니다.',
  'The key appears in <link>your devices</link>, where you can also remove it.':
    '키는 <link>내 기기</link>에 표시되며, 그곳에서 삭제할 수도 있습니다.',
  'The link works once, within seven days.': '링크는 7일 안에 한 번만 쓸 수 있습니다.',
  'The name in your list of devices, for example Nightly report.':
    '기기 목록에 표시될 이름입니다. 예: 야간 보고서.',
  'The name of a role with less priority than yours.':
    '내 역할보다 우선순위가 낮은 역할의 이름입니다.',
  'The new password is not accepted. {reasons}': '새 비밀번호를 쓸 수 없습니다. {reasons}',
  'The old password was removed too. <link>Get a link by email</link> to set a new one.':
    '이전 비밀번호도 삭제되었습니다. 새 비밀번호를 정하려면 <link>이메일로 링크를 받으세요</link>.',
  'The other service did not say who you are. Allow it there when it asks, or sign in another way.':
    '다른 서비스가 회원님이 누구인지 알려 주지 않았습니다. 그 서비스에서 물어보면 허용하거나 다른 방법으로 로그인하세요.',
  'The other service sent you back.': '다른 서비스에서 돌아왔습니다.',
  'The parts of this key don’t match. Copy all the text that the program printed again.':
    '키의 각 부분이 서로 맞지 않습니다. 프로그램이 출력한 텍스트를 처음부터 끝까지 다시 복사하세요.',
  'The passkey is now called {label}.': '패스키 이름이 {label}(으)로 바뀌었습니다.',
  'The passkey was not accepted. Try again, or use another one.':
    '패스키를 확인하지 못했습니다. 다시 시도하거나 다른 패스키를 쓰세요.',
  'The password is wrong.': '비밀번호가 틀렸습니다.',
  'The phone number of your account was changed. You can change it back to {restores} until {expiresAt}.':
    '계정의 전화번호가 변경되었습니다. {expiresAt}까지 {restores} 번호로 되돌릴 수 있습니다.',
  'The program chose this name itself. Allow it only if you just asked for this and know where it redirects to.':
    '프로그램이 스스로 정한 이름입니다. 방금 직접 요청했고 어디로 이동하는지 아는 경우에만 허용하세요.',
  'The request was denied. The device is not signed in.':
    '요청을 거부했습니다. 기기는 로그인되지 않았습니다.',
  'the server’s own machine': '서버 자신의 컴퓨터',
  'The service does not answer. Try again in a minute.':
    '서비스가 응답하지 않습니다. 1분 후에 다시 시도하세요.',
  'The session was ended, or you are not signed in on this browser.':
    '세션이 종료되었거나 이 브라우저에 로그인되어 있지 않습니다.',
  'The sign-in was denied': '로그인이 거부되었습니다',
  'The six digits in your authenticator app.': '인증 앱에 표시된 여섯 자리 숫자입니다.',
  'Then your password is enough to sign in on any device.':
    '그러면 어떤 기기에서든 비밀번호만으로 로그인할 수 있습니다.',
  'There are no invitations here.': '초대가 없습니다.',
  'There is no role with this name. Enter another one.':
    '이런 이름의 역할이 없습니다. 다른 이름을 입력하세요.',
  'There is no session to continue': '이어갈 세션이 없습니다',
  'This account already has an authenticator app. Reload the page to see it.':
    '이 계정에는 인증 앱이 이미 있습니다. 페이지를 새로 고치면 볼 수 있습니다.',
  'This account has no email and no password, so you can’t restore it after you close it. To be able to restore it, add an email first.':
    '이 계정에는 이메일도 비밀번호도 없어 닫은 뒤에는 복구할 수 없습니다. 복구할 수 있게 하려면 먼저 이메일을 추가하세요.',
  'This account has no passkey. Add one first.': '이 계정에는 패스키가 없습니다. 먼저 추가하세요.',
  'This account has no second step of this kind. Use another one.':
    '이 계정에는 이런 2단계 인증 수단이 없습니다. 다른 수단을 쓰세요.',
  'This account has two-step sign-in. On a new device, you confirm the sign-in with something that only you have.':
    '이 계정은 2단계 인증을 씁니다. 새 기기에서는 본인만 가진 것으로 로그인을 확인합니다.',
  'This account is closed': '이 계정은 닫혔습니다',
  'This account is no longer linked. Reload the page to see your linked accounts.':
    '이 계정은 더 이상 연결되어 있지 않습니다. 페이지를 새로 고치면 연결된 계정을 볼 수 있습니다.',
  'This account, or another one of the same service, is already linked here. Unlink it first.':
    '이 계정이나 같은 서비스의 다른 계정이 이미 연결되어 있습니다. 먼저 연결을 해제하세요.',
  'This account was not created: {message}': '계정이 만들어지지 않았습니다: {message}',
  'This address already has an account.': '이 주소를 쓰는 계정이 이미 있습니다.',
  'This address is already invited. You can send that invitation again.':
    '이 주소는 이미 초대받았습니다. 그 초대를 다시 보낼 수 있습니다.',
  'This app is not connected to other services.': '이 앱은 다른 서비스와 연결되어 있지 않습니다.',
  'This browser can’t use passkeys. Open this page in a newer browser or on your phone.':
    '이 브라우저에서는 패스키를 쓸 수 없습니다. 더 새로운 브라우저나 휴대전화에서 이 페이지를 여세요.',
  'This browser can’t use passkeys. Sign out, then sign in again.':
    '이 브라우저에서는 패스키를 쓸 수 없습니다. 로그아웃한 뒤 다시 로그인하세요.',
  'This browser’s key': '이 브라우저의 키',
  'This code has expired. Show a new one on the device.':
    '코드가 만료되었습니다. 기기에서 새 코드를 표시하세요.',
  'This code is wrong. Enter the code that the app shows now, and check that your phone’s clock is right.':
    '코드가 틀렸습니다. 지금 앱에 표시된 코드를 입력하고, 휴대전화의 시계가 맞는지 확인하세요.',
  'This code no longer works': '이 코드는 더 이상 쓸 수 없습니다',
  'This code was already approved or denied. To try again, show a new code on the device.':
    '이미 승인했거나 거부한 코드입니다. 다시 시도하려면 기기에서 새 코드를 표시하세요.',
  'This code was sent to another address. Start again.':
    '다른 주소로 보낸 코드입니다. 다시 시작하세요.',
  'This device': '이 기기',
  'This device also gave access to: {names}.': '이 기기가 승인한 다른 항목: {names}.',
  'This device has a new key.': '이 기기에 새 키가 생겼습니다.',
  'This device is signed in at once, with its own key. In your list of devices, it has the name of its browser.':
    '이 기기는 자체 키로 바로 로그인됩니다. 기기 목록에는 브라우저 이름으로 표시됩니다.',
  'This device or security key already has a passkey for this account.':
    '이 기기나 보안 키에 이 계정의 패스키가 이미 있습니다.',
  'This device’s key': '이 기기의 키',
  'This invitation no longer exists. Reload the page.':
    '더 이상 없는 초대입니다. 페이지를 새로 고치세요.',
  'This invitation was accepted or cancelled, or has expired. Reload the page.':
    '이미 수락되었거나 취소되었거나 만료된 초대입니다. 페이지를 새로 고치세요.',
  'This is already your email. Enter another one.':
    '이미 쓰고 있는 이메일입니다. 다른 이메일을 입력하세요.',
  'This is not the registration of a key. Copy all the text that the program printed, from “{” to “}”.':
    '키 등록 정보가 아닙니다. 프로그램이 출력한 텍스트를 “{”부터 “}”까지 모두 복사하세요.',
  'This is the private half of the key, which must stay with the program. Nothing was sent. Paste the text that the program printed.':
    '프로그램에만 있어야 하는 비밀 키입니다. 아무것도 보내지 않았습니다. 프로그램이 출력한 텍스트를 붙여 넣으세요.',
  'This is your last way to sign in. Set a password or add an email first.':
    '마지막 남은 로그인 방법입니다. 먼저 비밀번호를 정하거나 이메일을 추가하세요.',
  'This is your last way to sign in. Set a password, add a passkey or add an email first.':
    '마지막 남은 로그인 방법입니다. 먼저 비밀번호를 정하거나 패스키나 이메일을 추가하세요.',
  'This key is already registered. Let the program create a new one, and paste that.':
    '이미 등록된 키입니다. 프로그램에서 새 키를 만들어 붙여 넣으세요.',
  'This page needs JavaScript to finish.': '이 페이지를 마치려면 JavaScript가 필요합니다.',
  'This passkey doesn’t belong to an account here. Sign in another way.':
    '이 패스키는 이곳의 계정에 속하지 않습니다. 다른 방법으로 로그인하세요.',
  'This passkey is not in your list any more. Reload the page to see your passkeys.':
    '이 패스키는 더 이상 목록에 없습니다. 페이지를 새로 고치면 패스키를 볼 수 있습니다.',
  'This request does not work': '이 요청은 처리할 수 없습니다',
  'This server has no two-step sign-in. Its operator must configure encryption keys first.':
    '이 서버에서는 2단계 인증을 쓸 수 없습니다. 먼저 운영자가 암호화 키를 설정해야 합니다.',
  'This session has ended': '세션이 종료되었습니다',
  'This session is bound to your passkeys, and its key has expired. Use a passkey to continue where you were.':
    '이 세션은 패스키에 묶여 있으며 키가 만료되었습니다. 하던 곳에서 계속하려면 패스키를 쓰세요.',
  'This session is bound to your passkeys.': '이 세션은 패스키에 묶여 있습니다.',
  'This session is bound to your passkeys. Its key expires after a short time, so a copied session soon stops working. You renew the key with your passkey.':
    '이 세션은 패스키에 묶여 있습니다. 키가 짧은 시간 뒤에 만료되므로 복사된 세션은 곧 쓸 수 없게 됩니다. 키는 패스키로 갱신합니다.',
  'This session is bound to your passkeys. Without one you can’t renew it, and it ends when its key expires.':
    '이 세션은 패스키에 묶여 있습니다. 패스키가 없으면 갱신할 수 없으며, 키가 만료될 때 세션도 끝납니다.',
  'This session is not bound.': '이 세션은 묶여 있지 않습니다.',
  'This sign-in has expired': '로그인이 만료되었습니다',
  'This sign-in was already used, was started somewhere else, or you started another one. Start again, in one tab.':
    '이미 사용했거나 다른 곳에서 시작했거나 새로 시작한 로그인이 있습니다. 탭 하나에서 다시 시작하세요.',
  'This signs out every device and removes the password, because the person who changed the email knew it. If you made the change, close this page.':
    '이메일을 변경한 사람이 비밀번호를 알고 있으므로, 모든 기기에서 로그아웃되고 비밀번호가 삭제됩니다. 직접 변경했다면 이 페이지를 닫으세요.',
  'This signs out every device and removes the password, because the person who changed the phone number knew it. If you made the change, close this page.':
    '전화번호를 변경한 사람이 비밀번호를 알고 있으므로, 모든 기기에서 로그아웃되고 비밀번호가 삭제됩니다. 직접 변경했다면 이 페이지를 닫으세요.',
  'This username is free.': '쓸 수 있는 사용자 이름입니다.',
  'This username is reserved. Choose another one.':
    '쓸 수 없도록 정해진 사용자 이름입니다. 다른 이름을 정하세요.',
  'This username is taken, reserved, too short or too long. Choose another one.':
    '이미 쓰고 있거나 쓸 수 없도록 정해졌거나 너무 짧거나 긴 사용자 이름입니다. 다른 이름을 정하세요.',
  'This username is taken. Choose another one.':
    '다른 사람이 쓰고 있는 사용자 이름입니다. 다른 이름을 정하세요.',
  'Time zone': '시간대',
  'Turn it off': '끄기',
  'Turn it on': '켜기',
  'Turn two-step sign-in off': '2단계 인증 끄기',
  'Turn two-step sign-in off? The entry in your app and your recovery codes stop working. You can still sign in with your passkeys.':
    '2단계 인증을 끌까요? 앱의 항목과 복구 코드를 더 이상 쓸 수 없습니다. 패스키로는 계속 로그인할 수 있습니다.',
  'Two network addresses used its key within a few minutes, on {time}. This is normal when a device changes from Wi-Fi to mobile data. If this one did not, sign it out and change your password.':
    '{time}에 서로 다른 네트워크 주소 두 곳에서 몇 분 안에 이 키를 사용했습니다. 기기가 Wi-Fi에서 모바일 데이터로 바뀌었다면 정상입니다. 그런 일이 없었다면 이 기기에서 로그아웃하고 비밀번호를 변경하세요.',
  'Two-step sign-in': '2단계 인증',
  'Two-step sign-in is off.': '2단계 인증이 꺼졌습니다.',
  'Two-step sign-in is on now.': '이제 2단계 인증이 켜졌습니다.',
  'Two-step sign-in is on.': '2단계 인증이 켜져 있습니다.',
  Unknown: '알 수 없음',
  Unlink: '연결 해제',
  'Unlink {name}? You can no longer sign in with it. Devices stay signed in.':
    '{name}: 연결을 해제할까요? 더 이상 이 계정으로 로그인할 수 없습니다. 기기에서는 로그인이 유지됩니다.',
  'Use a code by email instead': '대신 이메일 코드 쓰기',
  'Use a passkey': '패스키 쓰기',
  'Use a recovery code': '복구 코드 쓰기',
  'Use as a second step': '2단계 인증에 쓰기',
  'Use this browser’s: {zone}': '이 브라우저의 시간대 쓰기: {zone}',
  'Use this if you lost a device, or don’t know where you are signed in. It works at once, and signs out this device too.':
    '기기를 잃어버렸거나 어디에 로그인되어 있는지 모를 때 쓰세요. 바로 적용되며 이 기기에서도 로그아웃됩니다.',
  'Use your authenticator app': '인증 앱 쓰기',
  User: '사용자',
  'User id:': '사용자 ID:',
  Username: '사용자 이름',
  UTC: 'UTC',
  Waiting: '대기 중',
  'Waiting for your approval. Check that the other device shows the same key.':
    '승인을 기다리고 있습니다. 다른 기기에도 같은 키가 표시되는지 확인하세요.',
  'Waiting for your browser…': '브라우저를 기다리는 중…',
  'We are sending you back to the program that sent you here. If nothing happens, <link>continue yourself</link>. Then you can close this page.':
    '이 페이지로 보낸 프로그램으로 돌아가는 중입니다. 아무 일도 일어나지 않으면 <link>직접 이동</link>하세요. 그런 다음 이 페이지를 닫아도 됩니다.',
  'We can’t check this username right now.': '지금은 이 사용자 이름을 확인할 수 없습니다.',
  'We could not create an account for you. Sign in another way, or ask for an invitation.':
    '계정을 만들지 못했습니다. 다른 방법으로 로그인하거나 초대를 요청하세요.',
  'We don’t know which device this is, so you can’t approve it.':
    '어떤 기기인지 알 수 없어 승인할 수 없습니다.',
  'We email a link to the person you invite. With it they create an account that has the role you choose.':
    '초대할 사람에게 이메일로 링크를 보냅니다. 그 링크로 회원님이 정한 역할의 계정을 만들 수 있습니다.',
  'We keep a deleted account for 30 days. Until then, you can restore it here, exactly as it was.':
    '삭제한 계정은 30일 동안 보관합니다. 그때까지 여기서 원래 상태 그대로 복구할 수 있습니다.',
  'The language of these pages and of our messages, if we have it.':
    '이 언어를 지원하면 이 페이지와 메시지를 이 언어로 보여 드립니다.',
  'We send you to the service to confirm that the account is yours. You can link one account of each service.':
    '서비스로 이동해 본인의 계정인지 확인합니다. 서비스마다 계정을 하나씩 연결할 수 있습니다.',
  'We sent a new link to {to}. The old one no longer works.':
    '{to} 주소로 새 링크를 보냈습니다. 이전 링크는 더 이상 쓸 수 없습니다.',
  'We sent a newer link to {email}, or your time to set a password has run out. Open the newest mail, or request another link:':
    '{email} 주소로 더 새로운 링크를 보냈거나 비밀번호를 정할 시간이 지났습니다. 가장 최근 메일을 열거나 링크를 다시 요청하세요:',
  'We sent a notice to {before}. If you did not make this change, the link in it undoes it within 72 hours.':
    '{before} 주소로 알림을 보냈습니다. 직접 변경하지 않았다면 72시간 안에 그 링크로 되돌릴 수 있습니다.',
  'We sent an invitation as {role} to {email}.': '{email} 주소로 {role} 역할의 초대를 보냈습니다.',
  'We sent it to {sentTo}.': '{sentTo}(으)로 보냈습니다.',
  'Web browser': '웹 브라우저',
  'What it can use': '사용할 수 있는 대상',
  'When a program asks to act for you, a page shows what it asks for. If you allow it, it appears here.':
    '프로그램이 회원님 대신 작업하려고 하면 무엇을 요청하는지 보여 주는 페이지가 열립니다. 허용하면 여기에 표시됩니다.',
  'When the email or phone number of an account changes, we send this link to the old one. It works once, within 72 hours.':
    '계정의 이메일이나 전화번호가 바뀌면 이전 주소나 번호로 이 링크를 보냅니다. 72시간 안에 한 번만 쓸 수 있습니다.',
  'When you sign in, this device gets its own key. Under Account you see all your devices, and can sign any of them out.':
    '로그인하면 이 기기에 자체 키가 생깁니다. 계정에서 모든 기기를 보고, 원하는 기기에서 로그아웃할 수 있습니다.',
  'Which invitations': '표시할 초대',
  'With a passkey you sign in faster, and have no password to remember. It works only on this site, so you can’t give it to a fake page by mistake. Your password stays the same.':
    '패스키를 쓰면 더 빨리 로그인할 수 있고 비밀번호를 기억하지 않아도 됩니다. 이 사이트에서만 쓸 수 있으므로 실수로 가짜 페이지에 넘겨줄 일이 없습니다. 비밀번호는 그대로 유지됩니다.',
  'Without a recovery code': '복구 코드 없이 계속',
  'XXXX-XXXX': 'XXXX-XXXX',
  'Yes, cancel it': '네, 취소합니다',
  'Yes, create new codes': '네, 새 코드를 만듭니다',
  'Yes, delete my account': '네, 계정을 삭제합니다',
  'Yes, disconnect it': '네, 연결을 끊습니다',
  'Yes, remove it': '네, 삭제합니다',
  'Yes, sign out': '네, 로그아웃합니다',
  'Yes, sign out everywhere': '네, 모든 곳에서 로그아웃합니다',
  'Yes, turn it off': '네, 끕니다',
  'Yes, unlink it': '네, 연결을 해제합니다',
  'Yes, with my passkey': '네, 패스키로 해제합니다',
  'You already have an account': '이미 계정이 있습니다',
  'You are already signed in: <link>continue</link>': '이미 로그인되어 있습니다: <link>계속</link>',
  'You are no longer signed in here. Reload the page to sign in again.':
    '더 이상 로그인되어 있지 않습니다. 페이지를 새로 고쳐 다시 로그인하세요.',
  'You are not signed in anywhere else. When you sign in on a phone or in another browser, it appears here.':
    '다른 곳에는 로그인되어 있지 않습니다. 휴대전화나 다른 브라우저에서 로그인하면 여기에 표시됩니다.',
  'You are signed in as {as}. Sign out first to accept the invitation.':
    '{as} 계정으로 로그인되어 있습니다. 초대를 수락하려면 먼저 로그아웃하세요.',
  'The application means a different account, not the one that is signed in here.':
    '애플리케이션이 요청한 계정은 지금 로그인된 계정과 다릅니다.',
  'You are signed out': '로그아웃되었습니다',
  'You are signed in here already. Sign out first, then sign in again.':
    '이미 로그인되어 있습니다. 먼저 로그아웃한 뒤 다시 로그인하세요.',
  'You are the last super administrator. Give the role to another account first.':
    '마지막 최고 관리자입니다. 먼저 다른 계정에 그 역할을 주세요.',
  'You can also <link>sign in with a code</link> by email and keep your password.':
    '비밀번호를 그대로 두고 이메일로 받은 <link>코드로 로그인</link>할 수도 있습니다.',
  'You can also use a passkey as the second step. Choose one in <link>your passkeys</link>.':
    '패스키도 2단계 인증에 쓸 수 있습니다. <link>내 패스키</link>에서 선택하세요.',
  'You can no longer sign in with this service. Reload the page to see which services you can use.':
    '더 이상 이 서비스로 로그인할 수 없습니다. 페이지를 새로 고치면 쓸 수 있는 서비스를 볼 수 있습니다.',
  'You can restore a closed account until {until}. Then it is deleted permanently.':
    '닫은 계정은 {until}까지 복구할 수 있습니다. 그 후에는 영구히 삭제됩니다.',
  'You can restore it within 30 days.': '30일 안에 복구할 수 있습니다.',
  'You can sign in with each of these. Unlink the accounts that you no longer use.':
    '아래의 모든 계정으로 로그인할 수 있습니다. 더 이상 쓰지 않는 계정은 연결을 해제하세요.',
  'You can turn this off on the Security page when you are signed in again.':
    '다시 로그인한 뒤 보안 페이지에서 끌 수 있습니다.',
  'You can use a passkey as a second step. On a new device, you confirm your password with it: see <link>Two-step sign-in</link>.':
    '패스키를 2단계 인증에 쓸 수 있습니다. 새 기기에서 패스키로 비밀번호 로그인을 확인합니다. <link>2단계 인증</link>을 참고하세요.',
  'You can’t sign in to this account right now. It may be suspended, or going to be deleted. Ask the people who run this app.':
    '지금은 이 계정으로 로그인할 수 없습니다. 정지되었거나 삭제될 예정일 수 있습니다. 이 앱의 운영자에게 문의하세요.',
  'You can’t use your profile until then. Change the password under Security.':
    '그때까지 프로필을 쓸 수 없습니다. 보안에서 비밀번호를 변경하세요.',
  'You are still signed in, because the server did not answer. Try again.':
    '서버가 응답하지 않아 아직 로그인되어 있습니다. 다시 시도하세요.',
  'You confirmed that the account is yours.': '본인의 계정임을 확인했습니다.',
  'You could not be signed in': '로그인하지 못했습니다',
  'You have {passkeys}.': '{passkeys}가 있습니다.',
  'You have no passkey left. Add one, or sign in again by {time}.':
    '남은 패스키가 없습니다. 패스키를 추가하거나 {time}까지 다시 로그인하세요.',
  'You have none yet.': '아직 없습니다.',
  'You have none. Create some while you can still sign in.':
    '없습니다. 아직 로그인할 수 있을 때 만들어 두세요.',
  'You no longer have all of these permissions. Reload the page and choose again.':
    '더 이상 이 권한을 모두 갖고 있지 않습니다. 페이지를 새로 고치고 다시 선택하세요.',
  'You now sign in with {now} and get messages there.':
    '이제 {now} 주소로 로그인하고 메시지를 받습니다.',
  'You opened the link in our message. Nothing has changed yet.':
    '메시지의 링크를 열었습니다. 아직 바뀐 것은 없습니다.',
  'You opened the link in your mail, so the address is yours. Continue to choose a password.':
    '메일의 링크를 열었으므로 본인의 주소임이 확인되었습니다. 계속해서 비밀번호를 정하세요.',
  'You sign in with this address and get messages there. To change it, you need a code.':
    '이 주소로 로그인하고 메시지를 받습니다. 변경하려면 코드가 필요합니다.',
  'You sign in with this address and get messages there. Your devices stay signed in.':
    '이 주소로 로그인하고 메시지를 받습니다. 기기에서는 로그인이 유지됩니다.',
  'You signed in a while ago. Sign out, sign in again, then delete the account.':
    '로그인한 지 오래되었습니다. 로그아웃하고 다시 로그인한 뒤 계정을 삭제하세요.',
  'You signed in here a while ago. Confirm that it is you, and your action continues by itself.':
    '로그인한 지 오래되었습니다. 본인 확인을 하면 하던 작업이 자동으로 이어집니다.',
  'You type no password on this device. Use this when the device has no keyboard, or when others can see what you type.':
    '이 기기에는 비밀번호를 입력하지 않습니다. 기기에 키보드가 없거나 다른 사람이 입력하는 내용을 볼 수 있을 때 쓰세요.',
  'You were away too long, the session was ended on another device, or the passkey belongs to another account.':
    '너무 오래 자리를 비웠거나, 다른 기기에서 세션을 종료했거나, 다른 계정의 패스키입니다.',
  'Your account': '회원님의 계정',
  'Your account closes at once. You can restore it within 30 days. After that, it is deleted permanently.':
    '계정은 바로 닫힙니다. 30일 안에 복구할 수 있습니다. 그 후에는 영구히 삭제됩니다.',
  'Your browser asks where to keep it: on this device, in your password manager, on your phone or on a security key.':
    '브라우저가 어디에 저장할지 물어봅니다. 이 기기, 비밀번호 관리자, 휴대전화, 보안 키 중에서 고를 수 있습니다.',
  'Your browser could not use a passkey here. Try again, or use another browser.':
    '이 브라우저에서 패스키를 쓰지 못했습니다. 다시 시도하거나 다른 브라우저를 쓰세요.',
  'Your data': '회원님의 데이터',
  'Your device may still offer it, so delete it there too.':
    '기기에 패스키가 남아 있을 수 있으니 기기에서도 삭제하세요.',
  'Your email': '이메일',
  'Your email is changed': '이메일이 변경되었습니다',
  'Your email is restored': '이메일을 되돌렸습니다',
  'Your linked accounts': '내 연결된 계정',
  'Your name, username and settings.': '이름, 사용자 이름, 설정을 관리합니다.',
  'Your new recovery codes work now. The old ones don’t.':
    '이제 새 복구 코드를 쓸 수 있습니다. 이전 코드는 쓸 수 없습니다.',
  'Your old codes no longer work.': '이전 코드는 더 이상 쓸 수 없습니다.',
  'Your password': '비밀번호',
  'Your password is changed. Every other device is signed out.':
    '비밀번호가 변경되었습니다. 다른 모든 기기에서 로그아웃되었습니다.',
  'Your phone number is restored': '전화번호를 되돌렸습니다',
  'Your profile is saved.': '프로필을 저장했습니다.',
  'Your second step is {methods}. You choose which passkeys count in <link>your passkeys</link>.':
    '2단계 인증 수단: {methods}. 어떤 패스키를 쓸지는 <link>내 패스키</link>에서 정합니다.',
  'Your sign-in has expired': '로그인이 만료되었습니다',
  'Your sign-in has expired. Sign in again.': '로그인이 만료되었습니다. 다시 로그인하세요.',
  'Your turn comes in a moment.': '곧 차례가 됩니다.',
  'Your turn comes in about {count} minutes.': '약 {count}분 후에 차례가 됩니다.',
  'Your turn comes in about {seconds} seconds.': '약 {seconds}초 후에 차례가 됩니다.',
  'expires {time}': '{time} 만료',
  'A device is lost, or was left somewhere: sign out all of them.':
    '기기를 잃어버렸거나 두고 온 경우: 모든 기기에서 로그아웃합니다.',
  'A second step is removed': '2단계 인증 수단 삭제',
  'A user may do what any of their roles allows. A change counts from the next request on.':
    '사용자는 가진 역할 중 하나라도 허용하는 일을 할 수 있습니다. 변경은 다음 요청부터 적용됩니다.',
  Active: '활성',
  'Allow sign-ins again': '로그인 다시 허용',
  'Allow {user} to sign in again?': '{user} 계정의 로그인을 다시 허용할까요?',
  'Another role': '다른 역할',
  'Approved device': '승인된 기기',
  'Begins with': '다음으로 시작',
  'Close the account': '계정 닫기',
  'Close the account of {user}?': '{user} 계정을 닫을까요?',
  'Closed, deletion pending': '닫힘, 삭제 대기 중',
  Created: '만든 때',
  Deleted: '삭제됨',
  'Deletion of the account': '계정 삭제',
  'Each is in the audit trail with your user id and the reason.':
    '각 작업은 작업자의 사용자 ID와 사유와 함께 감사 기록에 남습니다.',
  'Find a user by the beginning of an address, a name or a number.':
    '이메일 주소, 이름 또는 전화번호의 앞부분으로 사용자를 찾습니다.',
  'Give this role': '이 역할 주기',
  'Help this user': '이 사용자 지원',
  'Last sign-in': '마지막 로그인',
  'Link that restores an address': '주소를 되돌리는 링크',
  'Link that signs out everywhere': '모든 곳에서 로그아웃하는 링크',
  'Link to set a new password': '새 비밀번호를 정하는 링크',
  'Links that were mailed and still work, and what is carried out by itself.':
    '메일로 보낸 링크 중 아직 쓸 수 있는 것과 자동으로 실행될 작업입니다.',
  'Next page →': '다음 페이지 →',
  'No user begins like that. Give less of the beginning, or search in another field.':
    '그렇게 시작하는 사용자가 없습니다. 앞부분을 더 짧게 입력하거나 다른 항목에서 찾아보세요.',
  'Nothing was done. You can’t change an account whose role ranks as high as yours or higher.':
    '실행되지 않았습니다. 본인과 같거나 더 높은 역할의 계정은 변경할 수 없습니다.',
  'Nothing was done: the account has changed meanwhile. Look at it again.':
    '실행되지 않았습니다. 그사이 계정이 바뀌었습니다. 다시 확인해 주세요.',
  'Optional. It is kept in the audit trail.': '선택 사항입니다. 감사 기록에 남습니다.',
  People: '사용자',
  'Phone number': '전화번호',
  Reason: '사유',
  'Require a new password': '새 비밀번호 요구',
  'Require a new password of {user}?': '{user} 계정에 새 비밀번호를 요구할까요?',
  'Restore the account': '계정 복구',
  'Restore the account of {user}?': '{user} 계정을 복구할까요?',
  Roles: '역할',
  Search: '찾기',
  'Search in': '찾을 항목',
  'Sign {device} out? What it has let in is signed out too.':
    '{device}에서 로그아웃할까요? 이 기기가 승인한 것도 함께 로그아웃됩니다.',
  'Sign {user} out of all devices and programs?':
    '{user} 계정을 모든 기기와 프로그램에서 로그아웃할까요?',
  'Sign-up link': '가입 링크',
  'Signed in {since} from {place}': '{since} {place}에서 로그인',
  Status: '상태',
  Suspend: '정지',
  'Suspend {user}, and sign out all devices?':
    '{user} 계정을 정지하고 모든 기기에서 로그아웃할까요?',
  Suspended: '정지됨',
  'Take the role {role} from this user?': '이 사용자에게서 {role} 역할을 뺄까요?',
  'The account is closed, and will be deleted. Until then you can restore it.':
    '계정이 닫혔으며 삭제될 예정입니다. 그때까지 복구할 수 있습니다.',
  'The account is misused: refuse all sign-ins, until you allow them again.':
    '계정이 악용되는 경우: 다시 허용할 때까지 모든 로그인을 거부합니다.',
  'The account is suspended. Its devices stay signed out when you allow sign-ins again.':
    '계정이 정지되어 있습니다. 로그인을 다시 허용해도 기기는 로그아웃된 상태로 남습니다.',
  'The password may be known to others: the user must choose another one.':
    '다른 사람이 비밀번호를 알 수 있는 경우: 사용자가 새 비밀번호를 정해야 합니다.',
  'The user wants to leave: close the account. It is deleted when its grace period is over.':
    '사용자가 탈퇴하려는 경우: 계정을 닫습니다. 유예 기간이 끝나면 삭제됩니다.',
  'There are no users here.': '사용자가 없습니다.',
  'This account is deleted.': '삭제된 계정입니다.',
  'This is the last superadmin. Give another user that role first.':
    '마지막 최고 관리자입니다. 먼저 다른 사용자에게 그 역할을 주세요.',
  'This is your own account. You change it on your account pages.':
    '본인의 계정입니다. 계정 페이지에서 변경하세요.',
  'This user is not signed in anywhere.': '이 사용자는 어디에도 로그인되어 있지 않습니다.',
  'User id': '사용자 ID',
  Users: '사용자 목록',
  'Yes, allow it': '네, 허용합니다',
  'Yes, close it': '네, 닫습니다',
  'Yes, require it': '네, 요구합니다',
  'Yes, restore it': '네, 복구합니다',
  'Yes, suspend': '네, 정지합니다',
  'Yes, take it': '네, 뺍니다',
  'authenticator app': '인증 앱',
  'must be changed': '변경 필요',
  never: '없음',
  none: '없음',
  passkey: '패스키',
  set: '설정됨',
  'until {time}': '{time}까지',
  '{role} · created {since}, has never signed in': '{role} · {since} 생성, 로그인한 적 없음',
  '{role} · last sign-in {since}': '{role} · 마지막 로그인 {since}',
  '{user} can sign in again.': '{user} 계정이 다시 로그인할 수 있습니다.',
  '{user} has the role {role} now.': '{user} 계정에 {role} 역할을 주었습니다.',
  '{user} is closed. You can restore it until it is deleted.':
    '{user} 계정을 닫았습니다. 삭제되기 전까지 복구할 수 있습니다.',
  '{user} is restored.': '{user} 계정을 복구했습니다.',
  '{user} is signed out everywhere.': '{user} 계정이 모든 곳에서 로그아웃되었습니다.',
  '{user} is signed out of {device}.': '{user} 계정이 {device}에서 로그아웃되었습니다.',
  '{user} is suspended, and signed out everywhere.':
    '{user} 계정이 정지되었고 모든 곳에서 로그아웃되었습니다.',
  '{user} must choose another password at the next sign-in.':
    '{user} 계정은 다음 로그인 때 새 비밀번호를 정해야 합니다.',
  '{user} no longer has the role {role}.': '{user} 계정에서 {role} 역할을 뺐습니다.',
  '← All people': '← 모든 사용자',
  '← First page': '← 첫 페이지',
  Administration: '관리',
  'Your account: {name}': '내 계정: {name}',
  Audit: '감사 기록',
  'Enter the id of a user. It is on their page under People.':
    '사용자 ID를 입력하세요. 사용자 메뉴에서 해당 사용자의 페이지에 나옵니다.',
  'Write a day like 2030-01-31.': '날짜는 2030-01-31처럼 입력하세요.',
  'Choose a role': '역할 선택',
  'What happened to this account': '이 계정에 있었던 일',
  'What this user did': '이 사용자가 한 일',
  'Sign-in': '로그인',
  'Sign-in up to the second step': '2단계 인증 전까지 로그인',
  'Sign-out': '로그아웃',
  'Sign-out of a device or program': '기기 또는 프로그램 로그아웃',
  'Sign-out everywhere': '모든 곳에서 로그아웃',
  'New key of a device': '기기 키 교체',
  'New machine key': '새 머신 키',
  'Sign-out of everyone': '모든 사용자 로그아웃',
  'Session bound to a passkey': '세션을 패스키에 연결',
  'Session no longer bound': '세션 연결 해제',
  'Bound session renewed': '연결된 세션 갱신',
  'Waiting device approved': '대기 중인 기기 승인',
  'Waiting device denied': '대기 중인 기기 거부',
  'Password changed': '비밀번호 변경',
  'Password set by a mailed link': '메일 링크로 비밀번호 설정',
  'Passkey added': '패스키 추가',
  'Passkey removed': '패스키 삭제',
  'Account elsewhere linked': '외부 계정 연결',
  'Account elsewhere unlinked': '외부 계정 연결 해제',
  'Sign-out link created': '로그아웃 링크 생성',
  'Sign-out link used': '로그아웃 링크 사용',
  'Second step set up': '2단계 인증 설정',
  'Second step removed': '2단계 인증 삭제',
  'Second step proved': '2단계 인증 확인',
  'Recovery codes created': '복구 코드 생성',
  'Recovery code used': '복구 코드 사용',
  'User proved again': '본인 재확인',
  'Address or number changed': '주소 또는 번호 변경',
  'Address or number proved': '주소 또는 번호 확인',
  'Change of address undone': '주소 변경 취소',
  'Username changed': '사용자 이름 변경',
  'Account closed': '계정 닫음',
  'Account restored': '계정 복구',
  'Account deleted': '계정 삭제됨',
  'Data exported': '데이터 내보내기',
  'Invitation sent': '초대 보냄',
  'Invitation sent again': '초대 다시 보냄',
  'Invitation cancelled': '초대 취소',
  'Invitation removed': '초대 삭제',
  'Invitation accepted': '초대 수락됨',
  'Role created': '역할 생성',
  'Role changed': '역할 변경',
  'Role deleted': '역할 삭제',
  'Role of a user changed': '사용자의 역할 변경',
  'Stream ended': '스트림 종료',
  'Job tried again': '작업 다시 시도',
  'Job cancelled': '작업 취소',
  'Agent registered': '에이전트 등록',
  'Agent allowed': '에이전트 허용',
  'Agent allowed by an identity provider': '신원 제공자가 에이전트를 허용함',
  'Approval of a call asked': '호출 승인 요청됨',
  'Call approved': '호출 승인됨',
  'Call refused': '호출 거부됨',
  'Approved call made': '승인된 호출 실행됨',
  'Access passed on by an agent': '에이전트가 접근 권한을 넘김',
  'Access of an agent ended': '에이전트 접근 종료',
  'Signed in to another application': '다른 앱에 로그인함',
  'User suspended': '사용자 정지',
  'Sign-ins allowed again': '로그인 다시 허용됨',
  'First account created': '첫 계정 생성',
  'User signed out': '사용자 로그아웃',
  'Agent of a user ended': '사용자의 에이전트 종료',
  'New password required': '새 비밀번호 요구됨',
  'User changed': '사용자 정보 변경',
  'User created': '사용자 생성',
  'User imported': '사용자 가져오기',
  'Mail sent again': '메일 다시 보냄',
  'Removal of a second step asked for': '2단계 인증 삭제 요청',
  'Removal of a second step stopped': '2단계 인증 삭제 중단',
  'Second step removed by an operator': '운영자가 2단계 인증 삭제',
  'Support session begun': '지원 세션 시작',
  'Support session ended': '지원 세션 종료',
  'Code for support created': '고객 지원용 코드 생성',
  'Deleted account': '삭제된 계정',
  'By (address or user id)': '작업자 (주소 또는 사용자 ID)',
  'More filters': '필터 더 보기',
  Error: '오류',
  Input: '입력',
  'Secrets are left out, and addresses are shortened.':
    '비밀 값은 빠지고 주소는 줄여서 표시됩니다.',
  'Invited by': '초대한 사람',
  'Created by': '만든 사람',
  'Suspended since': '정지된 때',
  'Suspended by': '정지한 사람',
  'the application': '애플리케이션',
  'Give {user} the role {role}? They can do what it allows from the next request on.':
    '{user} 계정에 {role} 역할을 줄까요? 다음 요청부터 그 역할이 허용하는 일을 할 수 있습니다.',
  'Yes, give it': '네, 줍니다',
  'Only a super administrator can give and take roles.':
    '역할은 최고 관리자만 주거나 회수할 수 있습니다.',
  'Accounts that have given it access': '접근을 허용한 계정',
  'The newest {count} are shown.': '최근 {count}개만 표시됩니다.',
  'End the access of {agent} to the account of {user}?':
    '{user} 계정에 대한 {agent}의 접근을 종료할까요?',
  'The access has ended. The agent can no longer use the account.':
    '접근이 종료되었습니다. 에이전트는 더 이상 이 계정을 쓸 수 없습니다.',
  'This access has ended already.': '이 접근은 이미 종료되었습니다.',
  'by {person}': '{person} 작업',
  'to {person}': '{person} 대상',
  'What was done, by whom and to whom, the newest first.':
    '누가 누구에게 무엇을 했는지, 최신순입니다.',
  'The trail has nothing like that. Leave a field empty.':
    '해당하는 기록이 없습니다. 항목을 비워 보세요.',
  Acts: '작업 목록',
  Act: '작업',
  'By (user id)': '작업자 (사용자 ID)',
  'To whom or what': '대상',
  'From day': '시작일',
  'To day': '종료일',
  Refused: '거부됨',
  '{count} times': '{count}회',
  Details: '자세히',
  When: '시각',
  Request: '요청',
  '← Newer': '← 최신',
  'Older →': '이전 →',
  'Streams that are open now, of all instances: {total}.':
    '모든 인스턴스에서 지금 열려 있는 스트림: {total}개.',
  'The stream has ended. Its client may open another one.':
    '스트림을 종료했습니다. 클라이언트가 다시 열 수 있습니다.',
  'No stream is open.': '열려 있는 스트림이 없습니다.',
  Streams: '스트림 목록',
  'Opened {since} from {address}, at {instance}': '{since} {address}에서 열림, {instance}',
  'The client has not taken {bytes} bytes yet.':
    '클라이언트가 아직 받지 않은 데이터: {bytes}바이트.',
  'End this stream? Its client may open another one.':
    '이 스트림을 종료할까요? 클라이언트가 다시 열 수 있습니다.',
  'the stream of {user}': '{user}의 스트림',
  Jobs: '백그라운드 작업',
  'Work that goes on after a request: what waits, what has failed, and why.':
    '요청이 끝난 뒤에 계속되는 일: 기다리는 작업, 실패한 작업과 그 이유입니다.',
  Queues: '대기열 목록',
  '← All queues': '← 모든 대기열',
  Queue: '대기열',
  State: '상태',
  'Nothing waits, runs or has failed.': '기다리거나 실행 중이거나 실패한 작업이 없습니다.',
  'Queues where nothing waits, runs or has failed: {count}':
    '기다리거나 실행 중이거나 실패한 작업이 없는 대기열: {count}개',
  '{count} failed': '실패 {count}개',
  '{count} running': '실행 중 {count}개',
  '{count} due': '실행 대기 {count}개',
  '{count} later': '나중에 {count}개',
  'There may be more: 1,000 of a state are counted at most.':
    '더 있을 수 있습니다. 상태마다 1,000개까지만 셉니다.',
  'Runs next at {time}': '다음 실행: {time}',
  'No jobs yet. A job appears here when your application enqueues it.':
    '아직 작업이 없습니다. 애플리케이션이 작업을 등록하면 여기에 나타납니다.',
  'No job is like that. Choose another queue or state.':
    '해당하는 작업이 없습니다. 다른 대기열이나 상태를 선택하세요.',
  Running: '실행 중',
  Failed: '실패',
  Done: '완료',
  'Runs at {time}': '{time}에 실행',
  'Due {since}': '{since}부터 실행 대기',
  'Started {since}': '{since} 시작',
  'Failed {since}': '{since} 실패',
  'Done {since}': '{since} 완료',
  'Cancelled {since}': '{since} 취소',
  '{attempt} of {most} runs': '{most}회 중 {attempt}회 실행',
  'Job id': '작업 ID',
  'Not before': '실행 가능 시각',
  Started: '시작',
  Finished: '종료',
  'Cancel this job? It will not run.': '이 작업을 취소할까요? 실행되지 않습니다.',
  'The job runs once more. Reload the page to see what became of it.':
    '작업을 한 번 더 실행합니다. 결과를 보려면 페이지를 새로 고치세요.',
  'The job is cancelled. It will not run.': '작업을 취소했습니다. 실행되지 않습니다.',
  'This job is no longer kept.': '이 작업은 더 이상 보관되지 않습니다.',
  'Nothing was done: the job is in another state by now. Look at it again.':
    '실행되지 않았습니다. 그사이 작업의 상태가 바뀌었습니다. 다시 확인해 주세요.',
  'Let it run': '그대로 두기',
  Edit: '수정',
  'built-in': '기본',
  'not active': '비활성',
  'Display name': '표시 이름',
  Priority: '우선순위',
  'Create role': '역할 만들기',
  'The superadmin keeps every permission.': '최고 관리자에게는 모든 권한이 있습니다.',
  'You give and take roles on the page of a user.': '역할은 사용자 페이지에서 바꿉니다.',
  'The role “{name}” is created.': '역할 “{name}”: 만들었습니다.',
  'Delete the role “{name}” permanently?': '역할 “{name}”: 영구적으로 삭제할까요?',
  'A role has this name already. Choose another name.':
    '같은 이름의 역할이 이미 있습니다. 다른 이름을 정하세요.',
  'A built-in role keeps its name and priority.': '기본 역할의 이름과 우선순위는 바꿀 수 없습니다.',
  'This role or permission is gone. Reload the page.':
    '이 역할이나 권한이 없습니다. 페이지를 새로 고치세요.',
  'Accounts that have this role: {count}. Give them another one first.':
    '이 역할을 가진 계정: {count}개. 먼저 다른 역할을 주세요.',
  'A name starts with a letter, and has at most 64 letters, digits, “.”, “_” and “-”.':
    '영문자로 시작하는 64자 이하의 영문자, 숫자, “.”, “_”, “-”입니다.',
  'A display name has 1 to 100 characters.': '표시 이름은 1~100자여야 합니다.',
  'A priority is a whole number, 0 or more.': '우선순위는 0 이상의 정수입니다.',
  // Texts of the API: what it refuses with.
  fromApi: {
    'Know that it is you': '회원님인지 확인',
    'See your name and your username': '이름과 사용자 이름 보기',
    'See your email address': '이메일 주소 보기',
    'This address or number already has an account. Sign in to it, or use another one.':
      '이 주소나 번호를 쓰는 계정이 이미 있습니다. 그 계정으로 로그인하거나 다른 주소나 번호를 쓰세요.',
    'This account is suspended. Ask the people who run this service.':
      '이 계정은 정지되었습니다. 서비스 운영자에게 문의하세요.',
    'This account is going to be deleted. Restore it first.':
      '이 계정은 삭제될 예정입니다. 먼저 계정을 복구하세요.',
    'Another account of this provider is linked. Sign in with that one, or unlink it first.':
      '이 서비스의 다른 계정이 연결되어 있습니다. 그 계정으로 로그인하거나 먼저 연결을 해제하세요.',
    'A built-in role cannot be changed in this way. Create a role of your own.':
      '기본 역할은 이렇게 바꿀 수 없습니다. 역할을 새로 만드세요.',
    'This link was used, has expired or is incomplete. If the account is yours, reset its password.':
      '이미 사용했거나 만료되었거나 불완전한 링크입니다. 본인의 계정이라면 비밀번호를 재설정하세요.',
    'This code was already approved or denied. Show a new one on the device.':
      '이미 승인했거나 거부한 코드입니다. 기기에서 새 코드를 표시하세요.',
    'The sign-in of this device was denied. Show a new code to try again.':
      '이 기기의 로그인이 거부되었습니다. 다시 시도하려면 새 코드를 표시하세요.',
    'This code has expired. Show a new one on the device.':
      '코드가 만료되었습니다. 기기에서 새 코드를 표시하세요.',
    'No device is waiting with this code. Compare it with the code on the device.':
      '이 코드를 기다리는 기기가 없습니다. 기기에 표시된 코드와 비교하세요.',
    'This link was used, has expired or is incomplete. Sign in to see your second factors.':
      '이미 사용했거나 만료되었거나 불완전한 링크입니다. 로그인해 2단계 인증 수단을 확인하세요.',
    'The credentials are wrong. Check them and try again.':
      '로그인 정보가 틀렸습니다. 확인하고 다시 시도하세요.',
    'The fingerprint does not match the public key. Send the SHA-256 of its DER bytes, in lowercase hex.':
      '지문이 공개 키와 맞지 않습니다. 공개 키 DER 바이트의 SHA-256을 소문자 16진수로 보내세요.',
    'This link was used or replaced, or has expired. Request a new one.':
      '이미 사용했거나 새 링크로 바뀌었거나 만료된 링크입니다. 새 링크를 요청하세요.',
    'This sign-up is finished or has expired. Request a new link.':
      '이미 끝났거나 만료된 가입입니다. 새 링크를 요청하세요.',
    'The id token is not valid or has expired. Request a new one from the provider.':
      'ID 토큰이 올바르지 않거나 만료되었습니다. 서비스에서 새로 받으세요.',
    'This code is wrong or has expired. Request a new one.':
      '코드가 틀렸거나 만료되었습니다. 새 코드를 요청하세요.',
    'This verification was used or has expired. Request a new code.':
      '이미 사용했거나 만료된 확인입니다. 새 코드를 요청하세요.',
    'This address is already invited. Send that invitation again.':
      '이 주소는 이미 초대받았습니다. 그 초대를 다시 보내세요.',
    'This invitation was accepted or cancelled, or has expired. Create a new one.':
      '이미 수락되었거나 취소되었거나 만료된 초대입니다. 새 초대를 만드세요.',
    'This invitation was used, cancelled or replaced, or has expired. Ask for another one.':
      '이미 사용했거나 취소되었거나 새 초대로 바뀌었거나 만료된 초대입니다. 다시 요청하세요.',
    'There is no such job, or it is no longer kept. List the jobs to see them.':
      '작업이 없거나 더 이상 보관되지 않습니다. 작업 목록을 확인하세요.',
    'The public key does not match its algorithm. Send a key of that type.':
      '공개 키가 알고리즘과 맞지 않습니다. 알고리즘에 맞는 키를 보내세요.',
    'The key of this device has expired. Sign in again.':
      '이 기기의 키가 만료되었습니다. 다시 로그인하세요.',
    'This key cannot be registered. Create a new key with a new key id.':
      '등록할 수 없는 키입니다. 새 키 ID로 새 키를 만드세요.',
    'This account has no such key. List its keys to see them.':
      '이 계정에 없는 키입니다. 키 목록을 확인하세요.',
    'This is the last way to sign in to the account. Set a password or verify an address first.':
      '계정에 마지막 남은 로그인 방법입니다. 먼저 비밀번호를 정하거나 주소를 확인하세요.',
    'This is the last superadmin. Make another account superadmin first.':
      '마지막 최고 관리자입니다. 먼저 다른 계정을 최고 관리자로 지정하세요.',
    'This account already has an authenticator app. Remove it before you add another one.':
      '이 계정에는 인증 앱이 이미 있습니다. 다른 앱을 추가하려면 먼저 삭제하세요.',
    'This account has no second factor of this kind. Add one, or use another kind.':
      '이 계정에는 이런 2단계 인증 수단이 없습니다. 추가하거나 다른 수단을 쓰세요.',
    'This server has no encryption key for this second factor. Its operator must configure one.':
      '이 서버에는 이 2단계 인증 수단의 암호화 키가 없습니다. 운영자가 설정해야 합니다.',
    'The proof of the second factor is wrong or has expired. Try again, or sign in again.':
      '2단계 인증이 틀렸거나 만료되었습니다. 다시 시도하거나 다시 로그인하세요.',
    'This server accepts no id tokens of this provider. Use another way to sign in.':
      '이 서버는 이 서비스의 ID 토큰을 받지 않습니다. 다른 방법으로 로그인하세요.',
    'The nonce is not the fingerprint of the key. Request an id token with the fingerprint as its nonce.':
      'nonce가 키의 지문이 아닙니다. 지문을 nonce로 하여 ID 토큰을 받으세요.',
    'This sign-in is finished or has expired. Start again.':
      '이미 끝났거나 만료된 로그인입니다. 다시 시작하세요.',
    'This passkey is already registered. Use another authenticator.':
      '이미 등록된 패스키입니다. 다른 인증 장치를 쓰세요.',
    'The challenge was used or has expired. Request new options, then try again.':
      '이미 사용했거나 만료된 요청입니다. 새로 요청한 뒤 다시 시도하세요.',
    'This account has no such passkey. List its passkeys to see them.':
      '이 계정에 없는 패스키입니다. 패스키 목록을 확인하세요.',
    'The passkey was not accepted. Try again, or use another one.':
      '패스키를 확인하지 못했습니다. 다시 시도하거나 다른 패스키를 쓰세요.',
    'The password must be changed first. Set a new one, then try again.':
      '먼저 비밀번호를 변경해야 합니다. 새 비밀번호를 정한 뒤 다시 시도하세요.',
    'This password reset is finished or has expired. Request a new link.':
      '이미 끝났거나 만료된 비밀번호 재설정입니다. 새 링크를 요청하세요.',
    'No code declares this permission. Check its name.': '이런 권한이 없습니다. 이름을 확인하세요.',
    'This needs a proof of work. Solve the challenge, for example with withWork, and send again.':
      '작업 증명이 필요합니다. 문제를 풀어(예: withWork) 다시 보내세요.',
    'The provider must give its consent again. Let the user sign in with it again.':
      '서비스의 동의가 다시 필요합니다. 그 서비스로 다시 로그인하세요.',
    'The last proof on this device is too old. Call proveRecent or sign in again, then try again.':
      '이 기기에서 본인 확인을 한 지 오래되었습니다. 본인 확인을 하거나 다시 로그인한 뒤 다시 시도하세요.',
    'This account was not created. Ask the people who run this service.':
      '서비스 운영자에게 문의하세요.',
    'This request token was used before. Sign a new one for each request.':
      '이미 사용한 요청 토큰입니다. 요청마다 새로 서명하세요.',
    'This username is reserved. Choose another one.':
      '쓸 수 없도록 정해진 사용자 이름입니다. 다른 이름을 정하세요.',
    'This link was used, has expired or is incomplete. Request a new one.':
      '이미 사용했거나 만료되었거나 불완전한 링크입니다. 새 링크를 요청하세요.',
    'A role has this name already. Choose another name.':
      '이 이름의 역할이 이미 있습니다. 다른 이름을 정하세요.',
    'Users have this role. Give them another one before you delete it.':
      '이 역할을 가진 사용자가 있습니다. 삭제하기 전에 다른 역할을 주세요.',
    'There is no such role. List the roles to see them.':
      '이런 역할이 없습니다. 역할 목록을 확인하세요.',
    'The message was not sent. Ask the people who run this service.':
      '메시지를 보내지 않았습니다. 서비스 운영자에게 문의하세요.',
    'This session cannot be renewed. Sign in again.':
      '이 세션은 갱신할 수 없습니다. 다시 로그인하세요.',
    'This account, or another one of the provider, is already linked. Unlink it first.':
      '이 계정이나 같은 서비스의 다른 계정이 이미 연결되어 있습니다. 먼저 연결을 해제하세요.',
    'No account of this provider is linked. Link one first.':
      '이 서비스의 계정이 연결되어 있지 않습니다. 먼저 연결하세요.',
    'This needs a fresh proof of the second factor. Prove it, then try again.':
      '2단계 인증을 다시 확인해야 합니다. 확인한 뒤 다시 시도하세요.',
    'No open stream has this id. List the open streams to see them.':
      '이 ID의 열린 스트림이 없습니다. 열린 스트림 목록을 확인하세요.',
    'No call waits for your approval here. You or another device has decided, or it is too late.':
      '승인을 기다리는 호출이 없습니다. 이미 결정되었거나 시간이 지났습니다.',
    'The support code is missing or wrong, was used or has expired. Ask the owner for a new one.':
      '고객 지원 코드가 없거나 틀렸거나 이미 사용했거나 만료되었습니다. 계정 주인에게 새 코드를 요청하세요.',
    'A support session may not do this. Only the owner of the account may.':
      '고객 지원 세션에서는 할 수 없습니다. 계정 주인만 할 수 있습니다.',
    'The request token has expired. Sign a new one with the time of GET /_core/time.':
      '요청 토큰이 만료되었습니다. GET /_core/time의 시각으로 새로 서명하세요.',
    'An account has this email, which is not verified on both sides. Sign in another way and verify it.':
      '이 이메일을 쓰는 계정이 있으며, 주소가 양쪽에서 모두 확인되지는 않았습니다. 다른 방법으로 로그인해 주소를 확인하세요.',
    'There is no such user. Check the user id.': '이런 사용자가 없습니다. 사용자 ID를 확인하세요.',
    'This username is taken. Choose another one.':
      '다른 사람이 쓰고 있는 사용자 이름입니다. 다른 이름을 정하세요.',
    'This code was requested for something else. Request a new one.':
      '다른 용도로 요청한 코드입니다. 새 코드를 요청하세요.',
    'This code was sent to another address or number. Request a new one.':
      '다른 주소나 번호로 보낸 코드입니다. 새 코드를 요청하세요.',
    'This server signs in no browser with this provider. Use another way to sign in.':
      '이 서버에서는 브라우저에서 이 서비스로 로그인할 수 없습니다. 다른 방법으로 로그인하세요.',
    'Use 3 to 30 of the characters a-z, 0-9, ".", "_" and "-".':
      '영문자 a–z, 숫자, “.”, “_”, “-”를 3자에서 30자까지 쓰세요.',
    'Enter a BCP 47 language tag, such as en or ko-KR.':
      'en이나 ko-KR 같은 BCP 47 언어 태그를 입력하세요.',
    'Enter a time zone of the IANA database, such as Asia/Seoul.':
      'Asia/Seoul 같은 IANA 시간대를 입력하세요.',
    'The role is not active.': '사용 중지된 역할입니다.',
    Forbidden: '허용되지 않은 작업입니다.',
    Conflict: '다른 변경과 겹쳤습니다. 페이지를 새로 고친 뒤 다시 시도하세요.',
    'Payload too large': '보낸 내용이 너무 큽니다.',
    'Internal Server Error': '서버에 문제가 생겼습니다. 잠시 후 다시 시도하세요.',
  },
  Programs: '프로그램',
  Limits: '제한',
  Server: '서버',
  'What the server stands on, and what is configured. To check a sign-in from outside, run “svc doctor”.':
    '서버가 의존하는 것과 설정된 기능입니다. 로그인을 밖에서 확인하려면 “svc doctor”를 실행하세요.',
  Health: '상태 점검',
  Healthy: '정상',
  Degraded: '저하됨',
  Database: '데이터베이스',
  Cache: '캐시',
  Replica: '복제본',
  Up: '작동 중',
  Down: '중단됨',
  'Read-only': '읽기 전용',
  Behind: '뒤처짐',
  Clock: '시계',
  Right: '정확함',
  '{millis} ms ahead of the database': '데이터베이스보다 {millis}ms 빠름',
  Migrations: '마이그레이션',
  '{applied} applied, {pending} pending': '적용 {applied}개, 대기 {pending}개',
  Versions: '버전',
  'Answered by': '응답한 프로세스',
  '{name}, started {since}': '{name}, {since} 시작',
  Instances: '인스턴스',
  '{answered} answered': '{answered}개 응답',
  '{answered} of {asked} answered': '{asked}개 중 {answered}개 응답',
  Configured: '설정',
  'Variables and options of the API turn these on. Their values are not shown.':
    'API의 변수와 옵션으로 켭니다. 값은 표시하지 않습니다.',
  'Mail by SMTP': 'SMTP 메일',
  'Text messages': '문자 메시지',
  'Encryption of second factors and tokens': '2단계 인증과 토큰의 암호화',
  'Authorization server for agents': '에이전트용 인증 서버',
  'Support sessions': '고객 지원 세션',
  'Requests bound to device keys': '기기 키에 묶인 요청',
  'Check for breached passwords': '유출된 비밀번호 확인',
  'Rate limits': '요청 제한',
  'Work before a message is sent': '메시지 전송 전 작업 증명',
  'Shared cache': '공유 캐시',
  'Reads from a replica': '복제본에서 읽기',
  Metrics: '지표',
  Traces: '추적',
  On: '켜짐',
  Off: '꺼짐',
  'Providers of sign-in': '로그인 제공자',
  'In browsers': '브라우저',
  'In apps': '앱',
  'Off in browsers: {variable} is missing.': '브라우저에서 꺼짐: {variable} 값이 없습니다.',
  'Limits that have refused requests, the most frequent first.':
    '요청을 거부한 제한, 많은 순서입니다.',
  'Counted by {instance} since {since}. Other instances count their own.':
    '{since}부터 {instance} 프로세스가 센 횟수입니다. 다른 인스턴스는 따로 셉니다.',
  'No limit has refused a request.': '요청을 거부한 제한이 없습니다.',
  'Limits are off. SVC_RATE_LIMIT turns them on.':
    '제한이 꺼져 있습니다. SVC_RATE_LIMIT으로 켭니다.',
  'Refused last {since}': '마지막 거부: {since}',
  'Agents and machines that act for users, the newest first.':
    '사용자를 대신하는 에이전트와 기계, 최신순입니다.',
  'Programs of others that users can give access to. They choose their names themselves.':
    '사용자가 접근을 허용할 수 있는 외부 프로그램입니다. 이름은 프로그램이 스스로 정합니다.',
  'No agent is registered.': '등록된 에이전트가 없습니다.',
  'Pages of agents': '에이전트 페이지',
  'Keys with which scripts, jobs and agents act for their owners.':
    '스크립트, 작업, 에이전트가 소유자를 대신할 때 쓰는 키입니다.',
  'No machine has a key.': '키가 있는 기계가 없습니다.',
  'Pages of machine keys': '기계 키 페이지',
  'The key has ended. The program can no longer use it.':
    '키를 종료했습니다. 프로그램이 더 이상 쓸 수 없습니다.',
  'Known since {since}': '{since} 등록',
  'Active grants: more than {count}': '활성 허가: {count}개 초과',
  'Active grants: {count}': '활성 허가: {count}개',
  'Of {owner}': '소유자: {owner}',
  'End the key of {name}? The program can no longer use it.':
    '{name}의 키를 종료할까요? 프로그램이 더 이상 쓸 수 없습니다.',
}

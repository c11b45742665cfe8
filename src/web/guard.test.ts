import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createGuard, type Guard, oneTimeDoors, safetyHeaders } from './guard.ts';

const origin = 'http://127.0.0.1:7000';
const host = '127.0.0.1:7000';

function viewer() {
  const { token, doors } = oneTimeDoors('`earwitness view`');
  return { token, ...createGuard(origin, doors) };
}

function judge<Who>(guard: Guard<Who>, path: string, headers: Record<string, string> = {}, method = 'GET') {
  return guard.judge({ method, headers: { host, ...headers } }, new URL(path, origin));
}

/** A guard whose link was opened, and the cookie that came of it. */
function entered() {
  const guard = viewer();
  const judged = judge(guard, `/runs?token=${guard.token}&sort=wer`);
  assert.ok(judged.say === 'enter');
  return { guard, judged, cookie: judged.cookie.split(';')[0]! };
}

test('The link opens once: a cookie for this host alone, and an address without the token.', () => {
  const { guard, judged, cookie } = entered();
  assert.equal(judged.to, '/runs?sort=wer');
  assert.match(judged.cookie, /^earwitness-7000=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
  assert.equal(judge(guard, `/?token=${guard.token}`).say, 'refuse');
  assert.equal(judge(guard, '/runs', { cookie }).say, 'pass');
  assert.equal(judge(guard, '/runs', { cookie: `other=1; ${cookie}` }).say, 'pass');
});

test('A wrong token uses nothing up; a wrong, cut or missing cookie shows nothing.', () => {
  const guard = viewer();
  assert.equal(judge(guard, '/?token=wrong').say, 'refuse');
  assert.equal(judge(guard, `/?token=${guard.token}`).say, 'enter');
  const { guard: other, cookie } = entered();
  for (const wrong of ['', 'earwitness-7000=', `${cookie}x`, cookie.slice(0, -1), cookie.replace('7000', '7001')]) {
    assert.equal(judge(other, '/runs', wrong === '' ? {} : { cookie: wrong }).say, 'refuse', wrong);
  }
  assert.equal(judge(guard, '/runs', { cookie }).say, 'refuse');
});

test('Another name for this machine, another site and other methods are refused with the cookie too.', () => {
  const { guard, cookie } = entered();
  const refused = (headers: Record<string, string>, method = 'GET') => {
    const judged = judge(guard, '/audio/x', { cookie, ...headers }, method);
    return judged.say === 'refuse' ? judged.status : judged.say;
  };
  for (const rebound of ['evil.example:7000', '127.0.0.1', '127.0.0.1:7001', '[::1]:7000', '']) {
    assert.equal(refused({ host: rebound }), 403, rebound);
  }
  for (const site of ['cross-site', 'same-site', 'anything']) assert.equal(refused({ 'sec-fetch-site': site }), 403);
  for (const from of ['https://evil.example', 'null', 'http://127.0.0.1:7001'])
    assert.equal(refused({ origin: from }), 403);
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) assert.equal(refused({}, method), 405);
  for (const good of [
    { host: 'localhost:7000' },
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none' },
    { origin },
  ]) {
    assert.equal(refused(good), 'pass');
  }
  assert.equal(refused({}, 'HEAD'), 'pass');
});

test('A link is not used up by who asks only for the head of its page.', () => {
  const guard = viewer();
  assert.equal(judge(guard, `/?token=${guard.token}`, {}, 'HEAD').say, 'refuse');
  assert.equal(judge(guard, `/?token=${guard.token}`).say, 'enter');
});

test('Whose pages lie below a path of their own is known there alone; another’s cookie does not count, whatever it is called.', () => {
  const guard = createGuard(
    origin,
    {
      enter: (token) => token,
      who: (secret) => (secret === 'a' || secret === 'b' ? secret : null),
      home: (who) => `/p/${who}`,
      ended: (secret) => (secret === 'c' ? 'ended' : null),
      ...{ closed: 'closed', spent: 'spent', takesPart: true },
    },
    (path) => path === '/assets/style.css',
  );
  const asked = (path: string, cookie = '', method = 'GET') => {
    const judged = judge(guard, path, { cookie, origin }, method);
    return judged.say === 'refuse' ? judged.why : judged.say === 'enter' ? judged.to : judged.say;
  };
  const entered = judge(guard, '/?token=a');
  assert.match(entered.say === 'enter' ? entered.cookie : '', /^earwitness-7000-a=a; Path=\/p\/a; HttpOnly/);
  assert.equal(asked('/?token=a'), '/p/a/');
  assert.equal(asked('/p/a/clips/1?token=a'), '/p/a/clips/1');
  assert.equal(asked('/p/a/clips/1?token=b'), '/p/b/');
  assert.equal(asked('/p/a/clips/1', 'earwitness-7000-a=a'), 'pass');
  assert.equal(asked('/p/a/clips/1', 'earwitness-7000-b=b; earwitness-7000-a=a', 'PUT'), 'pass');
  for (const [path, cookie] of [
    ['/p/b/clips/1', 'earwitness-7000-a=a'],
    ['/p/b/clips/1', 'earwitness-7000-b=a'],
    ['/p/a/clips/1', 'earwitness-7000=a'],
    ['/p/ab', 'earwitness-7000-a=a'],
    ['/', 'earwitness-7000-a=a'],
  ] as const)
    assert.equal(asked(path, cookie), 'closed', path);
  assert.equal(asked('/p/c/clips/1', 'earwitness-7000-c=c'), 'ended');
  assert.equal(asked('/?token=c'), 'ended');
  assert.equal(asked('/?token=d'), 'spent');
  assert.equal(asked('/assets/style.css'), 'open');
  assert.equal(asked('/assets/style.css', '', 'PUT'), 'closed');
});

test('Pages may load what is their own, and nothing that a page could inject runs.', () => {
  const policy = safetyHeaders['content-security-policy']!;
  assert.match(policy, /^default-src 'none'/);
  assert.doesNotMatch(policy, /unsafe|\*|https?:/);
  for (const part of ["script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'", "trusted-types 'none'"]) {
    assert.ok(policy.includes(part), part);
  }
});

import type { Texts } from "./es";

export const en: Texts = {
  chooseLanguage: "Language",
  privacyNotice: "Privacy notice",
  opensNewTab: "opens in another tab",
  loading: "Loading…",
  working: "One moment…",
  next: "Continue",
  back: "Back",
  retry: "Try again",
  close: "Close",
  goBackTo: (name) => `Back to ${name}`,
  stage: (n, all) => `Stage ${n} of ${all}`,

  consent: {
    title: (name) => `${name} asks you to verify your identity`,
    lead: "It takes about two minutes. Have your ID at hand, in a place with good light.",
    leadPlain: "It takes about two minutes.",
    takenTitle: "What is taken",
    takenDocument:
      "Pictures of your ID and what it says: name, date of birth, address, CURP and its numbers.",
    takenFace:
      "Pictures of your face, measured to compare it with the one on your ID. These are biometric data.",
    takenFacePlain: "Pictures of your face, which are measured. These are biometric data.",
    takenBy: {
      PROOF_OF_ADDRESS:
        "A picture of your proof of address and what it says: name, address and date.",
      OTP: "Your phone number or e-mail address, to send you a code.",
      FORM: "Your answers to a form.",
      LOCATION:
        "Where you connect from, by your IP address, and your device’s position if you allow it.",
    },
    takenDevice: "The IP address and browser that you accept from, as a record.",
    whyTitle: "What for",
    why: (name) => `So that ${name} knows it is you and your ID is valid, and to prevent fraud.`,
    whyPlain: (name) => `So that ${name} knows it is you, and to prevent fraud.`,
    keptTitle: "For how long, and your rights",
    kept: (days, name) =>
      `${name} keeps them, encrypted, for up to ${days} days; then they are deleted. You can ask to see, correct or cancel them, or object to their use.`,
    notice: "Read the privacy notice",
    accept: "I agree that my data, biometric data included, are taken and used like this.",
    acceptPlain: "I agree that my data are taken and used like this.",
    missing: "To continue, tick the box. If you don’t agree, you can close this page.",
    version: (version) => `Version ${version}`,
  },

  document: {
    title: "Which ID will you use?",
    lead: "It must be valid, and the original, not a copy.",
    ine: "Voter card (INE)",
    ineHint: "Both sides",
    passport: "Passport",
    passportHint: "The page with your photo",
    licence: "Driving licence",
    licenceHint: "The side with your photo",
    retake: "We need another picture",
    retakesLeft: (n) => (n === 1 ? "One attempt is left." : `${n} attempts are left.`),
  },

  shot: {
    front: { title: "The front of your ID", short: "Front" },
    back: { title: "The back", short: "Back" },
    passport: { title: "The page with your photo", short: "Passport" },
    licence: { title: "The front of your licence", short: "Licence" },
    selfie: { title: "A picture of your face", short: "Your face" },
    proofOfAddress: {
      title: "The part with your name, address and date",
      short: "Proof of address",
    },
    of: (n, all) => `Picture ${n} of ${all}`,
    take: "Take the picture",
    torch: "Light",
    file: "Upload a file",
    fileTypes: "JPEG, PNG, WebP or PDF, up to 10 MB",
    skip: "My document has no back",
    camera: "Use the camera",
    starting: "Opening the camera…",
    hint: {
      frame: "Place the document inside the frame",
      face: "Place your face inside the oval and take the picture",
      edges: "We can’t see its four edges: put it on a plain surface of another colour",
      closer: "Come closer",
      farther: "Move away a little: the document does not fit into the frame",
      level: "Hold the phone flat and straight above the document",
      still: "Hold still…",
      dark: "It is too dark: find more light",
      glare: "There is glare: tilt the document a little",
      blurred: "The picture is not sharp: wait until it focuses",
      otherSide: "This is the same side: turn the document over",
      turn: "Turn the phone so that the document looks larger",
      ready: "Like that! Hold still…",
    },
    face: {
      noFace: "We can’t see your face: place it inside the oval",
      several: "We see more than one person: only one may be in the picture",
      closer: "Come a little closer",
      farther: "Move a little farther away",
      centre: "Place your face in the middle of the oval",
      straight: "Look straight ahead",
      dark: "Your face is dark: find more light",
      glasses: "Take off your dark glasses",
      still: "Hold still…",
      ready: "Like that! Hold still…",
    },
    taken: "Picture taken",
    former: "The former picture",
    formerAlt: (what) => `Your former picture: ${what}`,
    reviewTitle: "Can it be read well?",
    reviewFace: "Can your face be seen well?",
    reviewLead: "It should be whole, sharp and without glare.",
    reviewFaceLead: "No sunglasses, no cap, and good light.",
    reviewAlt: (what) => `Your picture: ${what}`,
    pdf: (name) => `File chosen: ${name}`,
    use: "Use this picture",
    again: "Take it again",
    useFile: "Use this file",
    otherFile: "Choose another",
    sending: "Sending…",
    denied: "The camera may not be used",
    deniedHow:
      "Allow it in the browser’s settings (the lock next to the address) and try again, or upload a picture.",
    none: "No camera was found",
    noneHow: "Upload a picture that you took before, or open this page on your phone.",
    tooLarge: "The file is larger than 10 MB. Choose another.",
    unreadable: "That file can’t be opened. Choose a JPEG, PNG or WebP picture, or a PDF.",
  },

  liveness: {
    title: "Now, your face",
    lead:
      "Film yourself making a few simple moves, one after another. It takes seconds. The film is sent at the end, and then it is checked.",
    tips: [
      "Find a place with light from the front.",
      "Take off sunglasses, cap or mask.",
      "Nobody else should be in the picture.",
    ],
    start: "Start",
    startAnyway: "Start like this",
    deniedHow:
      "Allow the camera in the browser’s settings (the lock next to the address) and try again.",
    noneHow: "This part needs a camera: open this page on your phone.",
    copy: "Copy the link",
    copied: "Link copied",
    step: (n, all) => `Film yourself · move ${n} of ${all}`,
    seen: "Seen!",
    judged: "Here you see whether the camera caught each move. The check comes after that.",
    unseen: "This page films and sends, and cannot tell whether there is a face; the check comes after that.",
    moves: {
      look_straight: "Look straight ahead, without moving",
      turn_left: "Turn your head to your left",
      turn_right: "Turn your head to your right",
      look_up: "Raise your face",
      blink: "Close your eyes for a moment and open them",
      smile: "Smile",
      open_mouth: "Open your mouth",
    },
    still: "Wait: look straight ahead and keep still",
    light: "The screen will change its colour. Look straight at it, without moving.",
    skipLight: "Skip the colours",
    sending: "Sending the film…",
    expired: "This attempt expired before it was sent. Let’s start again.",
    absent:
      "The camera did not see your face, so nothing was sent. Place your face inside the oval and start again.",
    unusable: "The film could not be used. Let’s start again.",
    unchanged:
      "The camera’s picture did not change during the moves, so nothing was sent. Check that the camera shows you, place your face inside the oval, and make each move when you are asked.",
    tooMany: "It can’t be repeated any more. Ask the company that sent you here for a new link.",
  },

  handOver: {
    offer: "Continue on my phone",
    title: "Continue on your phone",
    lead: "A phone's camera takes better pictures. Point it at this code and open the link.",
    code: "QR code of the link for your phone",
    orOpen: "Or open on the phone:",
    once: "It works once, for 10 minutes. Do not pass it on.",
    toEither: "Send the link to this phone or e-mail address",
    toPhone: "Send the link to this phone",
    toMail: "Send the link to this e-mail address",
    send: "Send",
    sent: "Sent. It can take a minute.",
    wrong: "Check it: a phone with +52 and ten digits, or an e-mail address.",
    often: "Several were sent already. Use the code above, or wait a few minutes.",
    failed: "It could not be sent. Try again.",
    spent: "Too many codes were shown already. Go on with this computer.",
    late: "The code has expired.",
    again: "Show another code",
    here: "Stay on this computer",
    openedTitle: "Go on with your phone",
    openedLead: "You will see the result here. Do not close this page.",
  },

  code: {
    title: "Confirm that messages reach you",
    lead: (name) => `${name} asks you to confirm a code of six digits.`,
    choose: "How do you want to receive it?",
    by: { sms: "By text message (SMS)", email: "By e-mail" },
    to: { sms: "Your phone number", email: "Your e-mail address" },
    toHint: {
      sms: "With the country code, such as +52 55 1234 5678",
      email: "Such as name@mail.com",
    },
    known: {
      sms: "We send it to the phone number that you gave before.",
      email: "We send it to the e-mail address that you gave before.",
    },
    wrongAddress: {
      sms: "Check the number: with +52 and ten digits, for example.",
      email: "Check the address: something is missing.",
    },
    send: "Send the code",
    often: (minutes) =>
      `Several codes were sent already. Wait ${minutes === 1 ? "a minute" : `${minutes} minutes`} and try again.`,
    refused: "It can’t be sent there. Use another one.",
    enterTitle: "Enter the code",
    sentTo: (to) => `We sent it to ${to}. It can take a minute, and it works for five.`,
    sent: {
      sms: "We sent it to your phone. It can take a minute, and it works for five.",
      email: "We sent it to your mailbox. It can take a minute, and it works for five.",
    },
    code: "Code of six digits",
    confirm: "Confirm",
    digits: "The code has six digits.",
    wrong: (left) =>
      left === 1 ? "That is not the code. One attempt is left." : `That is not the code. ${left} attempts are left.`,
    spent: "This code no longer works. Ask for another one.",
    resend: "Send another code",
    resendIn: (seconds) => `Send another code (in ${seconds} s)`,
    resent: "Another code was sent. The former one no longer works.",
    other: "Use another phone or address",
    secret: "Nobody will ask you for it by phone or message: do not share it.",
  },

  form: {
    required: "required",
    choose: "Choose one",
    send: "Send",
    sum: (n) => (n === 1 ? "One answer needs a change." : `${n} answers need a change.`),
    faults: {
      required: () => "This answer is missing.",
      unchecked: () => "This box must be ticked.",
      not_an_option: () => "Choose one of the options.",
      not_a_date: () => "Enter a date that exists.",
      too_short: (n) => `Enter at least ${n} characters.`,
      too_long: (n) => `Enter at most ${n} characters.`,
      no_match: () => "It does not have the expected form. Check it.",
    },
  },

  place: {
    title: "Where is your device?",
    lead: (name) =>
      `${name} asks for the position of your device, to prevent fraud. It is measured once, now.`,
    how: "The browser will ask whether you allow it.",
    free: (name) =>
      `You can say no. The verification goes on, and ${name} sees that you did not give it; a person may have to review it.`,
    share: "Share my position",
    without: "Go on without sharing it",
    measuring: "Measuring…",
    refused:
      "The browser does not allow the position. To allow it, use the lock next to the address, or the phone’s settings.",
    unavailable: "The position could not be measured. Turn on the device’s location and try again.",
  },

  waiting: {
    title: "We are checking",
    lead: "It usually takes a few seconds. You can leave this page open.",
    elsewhere: "One step is missing",
    elsewhereLead: (name) =>
      `Continue in the application of ${name} to do what is missing. You can leave this page open.`,
    statuses: {
      PENDING: "to do",
      WAITING_INPUT: "something of yours is missing",
      RUNNING: "being checked",
      PASSED: "done",
      FAILED: "ended",
      REVIEW: "done",
      SKIPPED: "not needed",
    },
  },

  ended: {
    APPROVED: {
      title: "Your identity is verified",
      lead: (name) => `You can go on with ${name}.`,
    },
    REJECTED: {
      title: "We could not verify your identity",
      lead: (name) =>
        `${name} has been notified. If you think that this is a mistake, contact them: they can review it.`,
    },
    MANUAL_REVIEW: {
      title: "We have everything",
      lead: (name) =>
        `A person will review it and ${name} will tell you the result. There is nothing more to do.`,
    },
    EXPIRED: {
      title: "Time ran out",
      lead: (name) => `Ask ${name} for a new link to start again.`,
    },
    nextTitle: "What happens next",
    next: {
      APPROVED: (name) => [`${name} already has the result: you need not send anything else.`],
      REJECTED: (name) => [
        `${name} decides what comes next, and can have a person review it.`,
        "If you contact them, have your ID and the reference below at hand.",
      ],
      MANUAL_REVIEW: (name) => [
        "A person compares your pictures and your data.",
        `${name} tells you by the means that it already uses with you. This page need not stay open.`,
      ],
      EXPIRED: () => [
        "Nothing was decided on what you sent this time.",
        "With a new link, you start from the beginning.",
      ],
    },
    helpTitle: "Questions?",
    help: (name) => `Contact ${name} and give this reference:`,
    canClose: "You can close this page now.",
  },

  faults: {
    offline: {
      title: "No connection",
      lead: "Check your internet. What you have sent is kept.",
    },
    link: {
      title: "This link no longer works",
      lead: "It has expired or is incomplete. Go back to where you got it and ask for a new one.",
    },
    closed: {
      title: "This verification has ended",
      lead: "Nothing more needs to be sent.",
    },
    busy: {
      title: "Many people are here just now",
      lead: "There is nothing to do: what you did is still here.",
    },
    file: {
      title: "That file could not be used",
      lead: "Choose a JPEG, PNG or WebP picture, or a PDF, of up to 10 MB.",
    },
    challenge: {
      title: "The moves have to start again",
      lead: "Too much time has passed since they began.",
    },
    challenges: {
      title: "It can’t be repeated any more",
      lead: "Ask the company that sent you here for a new link.",
    },
    server: {
      title: "Something failed on our side",
      lead: "It isn’t you. Try again in a moment.",
    },
    waiting: "Waiting for the connection…",
    again: (seconds) =>
      seconds === 1
        ? "We try again in a second."
        : `We try again in ${seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`}.`,
    reference: (id) => `Reference: ${id}`,
  },

  steps: {},
  advice: {},
};

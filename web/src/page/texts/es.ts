export const es = {
  chooseLanguage: "Idioma",
  privacyNotice: "Aviso de privacidad",
  opensNewTab: "se abre en otra pestaña",
  loading: "Cargando…",
  working: "Un momento…",
  next: "Continuar",
  back: "Atrás",
  retry: "Intentar de nuevo",
  close: "Cerrar",
  goBackTo: (name: string) => `Volver a ${name}`,
  stage: (n: number, all: number) => `Paso ${n} de ${all}`,

  consent: {
    title: (name: string) => `${name} te pide verificar tu identidad`,
    lead: "Toma unos dos minutos. Ten a la mano tu identificación, en un lugar con buena luz.",
    leadPlain: "Toma unos dos minutos.",
    takenTitle: "Qué se toma",
    takenDocument:
      "Fotos de tu identificación y lo que dice: nombre, fecha de nacimiento, domicilio, CURP y sus números.",
    takenFace:
      "Fotos de tu cara, de las que se calculan medidas para compararla con la de tu identificación. Son datos biométricos.",
    takenFacePlain: "Fotos de tu cara, de las que se calculan medidas. Son datos biométricos.",
    takenBy: {
      PROOF_OF_ADDRESS:
        "Una foto de tu comprobante de domicilio y lo que dice: nombre, dirección y fecha.",
      OTP: "Tu teléfono o tu correo, para enviarte un código.",
      FORM: "Tus respuestas a un formulario.",
      LOCATION:
        "Desde dónde te conectas, por tu dirección IP, y la ubicación de tu dispositivo si la permites.",
    } as Record<string, string>,
    takenDevice: "La dirección IP y el navegador desde los que aceptas, como constancia.",
    whyTitle: "Para qué",
    why: (name: string) =>
      `Para que ${name} sepa que eres tú y que tu documento es válido, y para prevenir fraudes.`,
    whyPlain: (name: string) => `Para que ${name} sepa que eres tú, y para prevenir fraudes.`,
    keptTitle: "Por cuánto tiempo, y tus derechos",
    kept: (days: number, name: string) =>
      `${name} los conserva, cifrados, hasta ${days} días, y después se borran. Puedes pedirle verlos, corregirlos, cancelarlos u oponerte a su uso (derechos ARCO).`,
    notice: "Lee el aviso de privacidad",
    accept: "Acepto que se tomen y usen así mis datos, también los biométricos.",
    acceptPlain: "Acepto que se tomen y usen así mis datos.",
    missing: "Para continuar, marca la casilla. Si no aceptas, puedes cerrar esta página.",
    version: (version: string) => `Versión ${version}`,
  },

  document: {
    title: "¿Qué identificación usarás?",
    lead: "Que esté vigente y sea la original, no una copia.",
    ine: "Credencial para votar (INE)",
    ineHint: "Por los dos lados",
    passport: "Pasaporte",
    passportHint: "La página con tu foto",
    licence: "Licencia de conducir",
    licenceHint: "El lado con tu foto",
    retake: "Necesitamos otra foto",
    retakesLeft: (n: number) => (n === 1 ? "Te queda un intento." : `Te quedan ${n} intentos.`),
  },

  shot: {
    front: { title: "El frente de tu identificación", short: "Frente" },
    back: { title: "La parte de atrás", short: "Atrás" },
    passport: { title: "La página con tu foto", short: "Pasaporte" },
    licence: { title: "El frente de tu licencia", short: "Licencia" },
    selfie: { title: "Una foto de tu cara", short: "Tu cara" },
    proofOfAddress: {
      title: "La parte con tu nombre, dirección y fecha",
      short: "Comprobante de domicilio",
    },
    of: (n: number, all: number) => `Foto ${n} de ${all}`,
    take: "Tomar la foto",
    torch: "Luz",
    file: "Subir un archivo",
    fileTypes: "JPEG, PNG, WebP o PDF, de hasta 10 MB",
    skip: "Mi documento no tiene reverso",
    camera: "Usar la cámara",
    starting: "Abriendo la cámara…",
    hint: {
      frame: "Acomoda el documento dentro del marco",
      face: "Pon tu cara dentro del óvalo y toma la foto",
      edges: "No vemos sus cuatro orillas: ponlo sobre una superficie lisa de otro color",
      closer: "Acércate más",
      farther: "Aléjate un poco: el documento no cabe en el marco",
      level: "Pon el teléfono plano y derecho sobre el documento",
      still: "No te muevas…",
      dark: "Está muy oscuro: busca más luz",
      glare: "Hay un reflejo: inclina un poco el documento",
      blurred: "La imagen no está nítida: espera a que enfoque",
      otherSide: "Es el mismo lado: voltea el documento",
      turn: "Gira el teléfono para que el documento se vea más grande",
      ready: "¡Así! No te muevas…",
    },
    face: {
      noFace: "No vemos tu cara: ponla dentro del óvalo",
      several: "Vemos a más de una persona: debe salir solo una",
      closer: "Acércate un poco",
      farther: "Aléjate un poco",
      centre: "Pon tu cara en el centro del óvalo",
      straight: "Mira de frente",
      dark: "Tu cara está oscura: busca más luz",
      glasses: "Quítate los lentes oscuros",
      still: "No te muevas…",
      ready: "¡Así! No te muevas…",
    },
    taken: "Foto tomada",
    former: "La foto anterior",
    formerAlt: (what: string) => `Tu foto anterior: ${what}`,
    reviewTitle: "¿Se lee bien?",
    reviewFace: "¿Se ve bien tu cara?",
    reviewLead: "Que se vea completo, nítido y sin reflejos.",
    reviewFaceLead: "Sin lentes oscuros ni gorra, y con buena luz.",
    reviewAlt: (what: string) => `Tu foto: ${what}`,
    pdf: (name: string) => `Archivo elegido: ${name}`,
    use: "Usar esta foto",
    again: "Tomarla de nuevo",
    useFile: "Usar este archivo",
    otherFile: "Elegir otro",
    sending: "Enviando…",
    denied: "No hay permiso para usar la cámara",
    deniedHow:
      "Permítelo en los ajustes del navegador (el candado junto a la dirección) e intenta de nuevo, o sube una foto.",
    none: "No se encontró una cámara",
    noneHow: "Sube una foto que hayas tomado antes, o abre esta página en tu teléfono.",
    tooLarge: "El archivo pesa más de 10 MB. Elige otro.",
    unreadable: "Ese archivo no se puede abrir. Elige una foto JPEG, PNG o WebP, o un PDF.",
  },

  liveness: {
    title: "Ahora, tu cara",
    lead:
      "Grábate haciendo unos gestos sencillos, uno tras otro. Toma unos segundos. La grabación se envía al final, y entonces se revisa.",
    tips: [
      "Busca un lugar con luz de frente.",
      "Quítate lentes oscuros, gorra o cubrebocas.",
      "Que no haya nadie más en la imagen.",
    ],
    start: "Empezar",
    startAnyway: "Empezar así",
    deniedHow:
      "Permite la cámara en los ajustes del navegador (el candado junto a la dirección) e intenta de nuevo.",
    noneHow: "Esta parte necesita una cámara: abre esta página en tu teléfono.",
    copy: "Copiar el enlace",
    copied: "Enlace copiado",
    step: (n: number, all: number) => `Grábate · gesto ${n} de ${all}`,
    seen: "¡Visto!",
    judged: "Aquí ves si la cámara captó cada gesto. La revisión viene después.",
    unseen: "Esta página graba y envía, sin ver si hay una cara; la revisión viene después.",
    moves: {
      look_straight: "Mira de frente, sin moverte",
      turn_left: "Gira la cabeza a tu izquierda",
      turn_right: "Gira la cabeza a tu derecha",
      look_up: "Levanta la cara hacia arriba",
      blink: "Cierra los ojos un momento y ábrelos",
      smile: "Sonríe",
      open_mouth: "Abre la boca",
    },
    still: "Espera: mira de frente, sin moverte",
    light: "La pantalla cambiará de color. Mírala de frente, sin moverte.",
    skipLight: "Omitir los colores",
    sending: "Enviando la grabación…",
    expired: "Este intento venció antes de enviarse. Empecemos de nuevo.",
    absent:
      "La cámara no vio tu cara, así que no se envió nada. Pon tu cara dentro del óvalo y empieza de nuevo.",
    unusable: "La grabación no se pudo usar. Empecemos de nuevo.",
    unchanged:
      "La imagen de la cámara no cambió durante los gestos, así que no se envió nada. Revisa que la cámara te muestre, pon tu cara dentro del óvalo y haz cada gesto cuando se te pida.",
    tooMany: "Ya no se puede repetir. Pide a quien te envió aquí un enlace nuevo.",
  },

  handOver: {
    offer: "Continuar en mi teléfono",
    title: "Continúa en tu teléfono",
    lead: "Con la cámara del teléfono las fotos salen mejor. Apúntala a este código y abre el enlace.",
    code: "Código QR del enlace para tu teléfono",
    orOpen: "O abre en el teléfono:",
    once: "Sirve una sola vez, durante 10 minutos. No se lo pases a nadie.",
    toEither: "Enviar el enlace a este teléfono o correo",
    toPhone: "Enviar el enlace a este teléfono",
    toMail: "Enviar el enlace a este correo",
    send: "Enviar",
    sent: "Enviado. Puede tardar un minuto.",
    wrong: "Revisa el dato: un teléfono con +52 y diez dígitos, o un correo.",
    often: "Ya se enviaron varios. Usa el código de arriba, o espera unos minutos.",
    failed: "No se pudo enviar. Inténtalo de nuevo.",
    spent: "Ya se mostraron demasiados códigos. Sigue en esta computadora.",
    late: "El código venció.",
    again: "Mostrar otro código",
    here: "Seguir en esta computadora",
    openedTitle: "Sigue en tu teléfono",
    openedLead: "Aquí verás el resultado. No cierres esta página.",
  },

  code: {
    title: "Confirma que te llegan los mensajes",
    lead: (name: string) => `${name} te pide confirmar un código de seis dígitos.`,
    choose: "¿Por dónde quieres recibirlo?",
    by: { sms: "Por mensaje de texto (SMS)", email: "Por correo electrónico" },
    to: { sms: "Tu teléfono", email: "Tu correo electrónico" },
    toHint: {
      sms: "Con la clave del país, como +52 55 1234 5678",
      email: "Como nombre@correo.com",
    },
    known: {
      sms: "Lo enviamos al teléfono que ya diste.",
      email: "Lo enviamos al correo que ya diste.",
    },
    wrongAddress: {
      sms: "Revisa el teléfono: con +52 y diez dígitos, por ejemplo.",
      email: "Revisa el correo: le falta algo.",
    },
    send: "Enviar el código",
    often: (minutes: number) =>
      `Ya se enviaron varios códigos. Espera ${minutes === 1 ? "un minuto" : `${minutes} minutos`} e inténtalo de nuevo.`,
    refused: "No se puede enviar ahí. Usa otro.",
    enterTitle: "Escribe el código",
    sentTo: (to: string) => `Lo enviamos a ${to}. Puede tardar un minuto; vence en cinco.`,
    sent: {
      sms: "Lo enviamos a tu teléfono. Puede tardar un minuto; vence en cinco.",
      email: "Lo enviamos a tu correo. Puede tardar un minuto; vence en cinco.",
    },
    code: "Código de seis dígitos",
    confirm: "Confirmar",
    digits: "El código tiene seis dígitos.",
    wrong: (left: number) =>
      left === 1 ? "No es ese código. Queda un intento." : `No es ese código. Quedan ${left} intentos.`,
    spent: "Este código ya no sirve. Pide otro.",
    resend: "Enviar otro código",
    resendIn: (seconds: number) => `Enviar otro código (en ${seconds} s)`,
    resent: "Se envió otro código. El anterior ya no sirve.",
    other: "Usar otro teléfono o correo",
    secret: "Nadie te lo va a pedir por teléfono ni por mensaje: no lo compartas.",
  },

  form: {
    required: "obligatorio",
    choose: "Elige una opción",
    send: "Enviar",
    sum: (n: number) =>
      n === 1 ? "Hay que cambiar una respuesta." : `Hay que cambiar ${n} respuestas.`,
    faults: {
      required: () => "Falta esta respuesta.",
      unchecked: () => "Hay que marcar esta casilla.",
      not_an_option: () => "Elige una de las opciones.",
      not_a_date: () => "Escribe una fecha que exista.",
      too_short: (n) => `Escribe al menos ${n} caracteres.`,
      too_long: (n) => `Escribe como máximo ${n} caracteres.`,
      no_match: () => "No tiene la forma esperada. Revísala.",
    } as Record<string, (limit: number) => string>,
  },

  place: {
    title: "¿Dónde está tu dispositivo?",
    lead: (name: string) =>
      `${name} pide la ubicación de tu dispositivo para prevenir fraudes. Se mide una sola vez, ahora.`,
    how: "El navegador te va a preguntar si la permites.",
    free: (name: string) =>
      `Puedes decir que no. La verificación sigue, y ${name} ve que no la diste; quizá la revise una persona.`,
    share: "Compartir mi ubicación",
    without: "Seguir sin compartirla",
    measuring: "Midiendo…",
    refused:
      "El navegador no permite la ubicación. Para permitirla, ábrela en el candado junto a la dirección, o en los ajustes del teléfono.",
    unavailable: "No se pudo medir la ubicación. Enciende la ubicación del dispositivo e intenta de nuevo.",
  },

  waiting: {
    title: "Estamos revisando",
    lead: "Suele tomar unos segundos. Puedes dejar esta página abierta.",
    elsewhere: "Falta un paso",
    elsewhereLead: (name: string) =>
      `Sigue en la aplicación de ${name}: ahí se hace lo que falta. Puedes dejar esta página abierta.`,
    statuses: {
      PENDING: "por hacer",
      WAITING_INPUT: "falta algo tuyo",
      RUNNING: "en revisión",
      PASSED: "listo",
      FAILED: "terminado",
      REVIEW: "listo",
      SKIPPED: "no fue necesario",
    },
  },

  ended: {
    APPROVED: {
      title: "Tu identidad quedó verificada",
      lead: (name: string) => `Ya puedes seguir con ${name}.`,
    },
    REJECTED: {
      title: "No pudimos verificar tu identidad",
      lead: (name: string) =>
        `${name} ya lo sabe. Si crees que es un error, comunícate con ellos: pueden revisarlo.`,
    },
    MANUAL_REVIEW: {
      title: "Recibimos todo",
      lead: (name: string) =>
        `Una persona va a revisarlo y ${name} te dirá el resultado. No tienes que hacer nada más.`,
    },
    EXPIRED: {
      title: "Se acabó el tiempo",
      lead: (name: string) => `Pide a ${name} un enlace nuevo para empezar otra vez.`,
    },
    nextTitle: "Qué sigue",
    next: {
      APPROVED: (name) => [`${name} ya tiene el resultado: no tienes que enviar nada más.`],
      REJECTED: (name) => [
        `${name} decide qué sigue, y puede pedir que lo revise una persona.`,
        "Si te comunicas, ten a la mano tu identificación y la referencia de abajo.",
      ],
      MANUAL_REVIEW: (name) => [
        "Una persona compara tus fotos y tus datos.",
        `${name} te avisa por los medios que ya usa contigo. No hace falta dejar abierta esta página.`,
      ],
      EXPIRED: () => [
        "Lo que enviaste en este intento no se decidió.",
        "Con un enlace nuevo se empieza desde el principio.",
      ],
    } as Record<"APPROVED" | "REJECTED" | "MANUAL_REVIEW" | "EXPIRED", (name: string) => string[]>,
    helpTitle: "¿Dudas?",
    help: (name: string) => `Comunícate con ${name} y da esta referencia:`,
    canClose: "Ya puedes cerrar esta página.",
  },

  faults: {
    offline: {
      title: "Sin conexión",
      lead: "Revisa tu internet. Lo que ya enviaste está guardado.",
    },
    link: {
      title: "Este enlace ya no sirve",
      lead: "Venció o está incompleto. Vuelve a donde lo recibiste y pide uno nuevo.",
    },
    closed: {
      title: "Esta verificación ya terminó",
      lead: "No hace falta enviar nada más.",
    },
    busy: {
      title: "Hay mucha gente en este momento",
      lead: "No tienes que hacer nada: lo que hiciste sigue aquí.",
    },
    file: {
      title: "Ese archivo no se pudo usar",
      lead: "Elige una foto JPEG, PNG o WebP, o un PDF, de hasta 10 MB.",
    },
    challenge: {
      title: "Hay que empezar de nuevo los gestos",
      lead: "Pasó demasiado tiempo desde que empezaron.",
    },
    challenges: {
      title: "Ya no se puede repetir",
      lead: "Pide a quien te envió aquí un enlace nuevo.",
    },
    server: {
      title: "Algo falló de nuestro lado",
      lead: "No es por ti. Intenta de nuevo en un momento.",
    },
    waiting: "Esperando la conexión…",
    again: (seconds: number) =>
      seconds === 1
        ? "Lo intentamos de nuevo en un segundo."
        : `Lo intentamos de nuevo en ${seconds < 120 ? `${seconds} segundos` : `${Math.ceil(seconds / 60)} minutos`}.`,
    reference: (id: string) => `Referencia: ${id}`,
  },

  // The server's words, by step type and reason code. It has its own in Spanish and English.
  steps: {} as Record<string, { name: string; discloses?: string }>,
  advice: {} as Record<string, string>,
};

export type Texts = typeof es;

import type { Texts } from "./es";

export const pt: Texts = {
  chooseLanguage: "Idioma",
  privacyNotice: "Aviso de privacidade",
  opensNewTab: "abre em outra aba",
  loading: "Carregando…",
  working: "Um momento…",
  next: "Continuar",
  back: "Voltar",
  retry: "Tentar de novo",
  close: "Fechar",
  goBackTo: (name) => `Voltar para ${name}`,
  stage: (n, all) => `Etapa ${n} de ${all}`,

  consent: {
    title: (name) => `${name} pede que você verifique sua identidade`,
    lead: "Leva cerca de dois minutos. Tenha seu documento à mão, em um lugar com boa luz.",
    takenTitle: "O que é coletado",
    takenDocument:
      "Fotos do seu documento e o que ele diz: nome, data de nascimento, endereço, CURP e seus números.",
    takenFace:
      "Fotos do seu rosto, das quais se calculam medidas para compará-lo com o do seu documento. São dados biométricos.",
    takenDevice: "O endereço IP e o navegador em que você aceita, como registro.",
    whyTitle: "Para quê",
    why: (name) =>
      `Para que ${name} saiba que é você e que seu documento é válido, e para prevenir fraudes.`,
    keptTitle: "Por quanto tempo",
    kept: (days, name) =>
      `${name} guarda os dados, cifrados, por até ${days} dias; depois eles são apagados. Você pode pedir para vê-los, corrigi-los ou cancelá-los, ou se opor ao seu uso.`,
    notice: "Leia o aviso de privacidade",
    accept: "Aceito que meus dados, também os biométricos, sejam coletados e usados assim.",
    acceptPlain: "Aceito que meus dados sejam coletados e usados assim.",
    missing: "Para continuar, marque a caixa. Se você não aceita, pode fechar esta página.",
    version: (version) => `Versão ${version}`,
  },

  document: {
    title: "Qual documento você vai usar?",
    lead: "Ele precisa estar válido e ser o original, não uma cópia.",
    ine: "Credencial de eleitor (INE)",
    ineHint: "Os dois lados",
    passport: "Passaporte",
    passportHint: "A página com sua foto",
    licence: "Carteira de motorista",
    licenceHint: "O lado com sua foto",
    retake: "Precisamos de outra foto",
    retakesLeft: (n) => (n === 1 ? "Resta uma tentativa." : `Restam ${n} tentativas.`),
  },

  shot: {
    front: { title: "A frente do seu documento", short: "Frente" },
    back: { title: "O verso", short: "Verso" },
    passport: { title: "A página com sua foto", short: "Passaporte" },
    licence: { title: "A frente da sua carteira", short: "Carteira" },
    selfie: { title: "Uma foto do seu rosto", short: "Seu rosto" },
    of: (n, all) => `Foto ${n} de ${all}`,
    take: "Tirar a foto",
    torch: "Luz",
    file: "Enviar um arquivo",
    fileTypes: "JPEG, PNG, WebP ou PDF, de até 10 MB",
    skip: "Meu documento não tem verso",
    camera: "Usar a câmera",
    starting: "Abrindo a câmera…",
    hint: {
      frame: "Coloque o documento dentro da moldura",
      face: "Coloque seu rosto dentro do oval e tire a foto",
      closer: "Aproxime mais",
      farther: "Afaste um pouco: o documento não cabe na moldura",
      still: "Não se mexa…",
      dark: "Está muito escuro: procure mais luz",
      glare: "Há um reflexo: incline um pouco o documento",
      blurred: "A imagem não está nítida: espere o foco",
      turn: "Gire o telefone para que o documento fique maior",
      ready: "Assim! Não se mexa…",
    },
    face: {
      noFace: "Não vemos seu rosto: coloque-o dentro do oval",
      several: "Vemos mais de uma pessoa: só uma pode aparecer",
      closer: "Aproxime-se um pouco",
      farther: "Afaste-se um pouco",
      centre: "Coloque seu rosto no centro do oval",
      straight: "Olhe para a frente",
      dark: "Seu rosto está escuro: procure mais luz",
      still: "Não se mexa…",
      ready: "Assim! Não se mexa…",
    },
    taken: "Foto tirada",
    reviewTitle: "Dá para ler bem?",
    reviewFace: "Seu rosto aparece bem?",
    reviewLead: "Deve estar inteiro, nítido e sem reflexos.",
    reviewFaceLead: "Sem óculos escuros nem boné, e com boa luz.",
    reviewAlt: (what) => `Sua foto: ${what}`,
    pdf: (name) => `Arquivo escolhido: ${name}`,
    use: "Usar esta foto",
    again: "Tirar de novo",
    useFile: "Usar este arquivo",
    otherFile: "Escolher outro",
    sending: "Enviando…",
    denied: "Não há permissão para usar a câmera",
    deniedHow:
      "Permita-a nas configurações do navegador (o cadeado ao lado do endereço) e tente de novo, ou envie uma foto.",
    none: "Nenhuma câmera foi encontrada",
    noneHow: "Envie uma foto que você já tenha tirado, ou abra esta página no seu telefone.",
    tooLarge: "O arquivo tem mais de 10 MB. Escolha outro.",
    unreadable: "Esse arquivo não pode ser aberto. Escolha uma foto JPEG, PNG ou WebP, ou um PDF.",
  },

  handOver: {
    offer: "Continuar no meu telefone",
    title: "Continue no seu telefone",
    lead:
      "Com a câmera do telefone as fotos ficam melhores. Aponte-a para este código e abra o link.",
    code: "Código QR do link para o seu telefone",
    orOpen: "Ou abra no telefone:",
    once: "Funciona uma única vez, durante 10 minutos. Não o passe a ninguém.",
    toEither: "Enviar o link para este telefone ou e-mail",
    toPhone: "Enviar o link para este telefone",
    toMail: "Enviar o link para este e-mail",
    send: "Enviar",
    sent: "Enviado. Pode levar um minuto.",
    wrong: "Verifique: um telefone com +52 e dez dígitos, ou um e-mail.",
    often: "Já foram enviados vários. Use o código acima ou espere alguns minutos.",
    failed: "Não foi possível enviar. Tente de novo.",
    late: "O código venceu.",
    again: "Mostrar outro código",
    here: "Ficar neste computador",
    openedTitle: "Siga no seu telefone",
    openedLead: "Você verá o resultado aqui. Não feche esta página.",
  },

  liveness: {
    title: "Agora, seu rosto",
    lead:
      "Grave-se fazendo alguns movimentos simples, um após o outro. Leva alguns segundos. A gravação é enviada no final, e então é revisada.",
    tips: [
      "Procure um lugar com luz de frente.",
      "Tire óculos escuros, boné ou máscara.",
      "Ninguém mais deve aparecer na imagem.",
    ],
    start: "Começar",
    startAnyway: "Começar assim",
    deniedHow:
      "Permita a câmera nas configurações do navegador (o cadeado ao lado do endereço) e tente de novo.",
    noneHow: "Esta parte precisa de uma câmera: abra esta página no seu telefone.",
    copy: "Copiar o link",
    copied: "Link copiado",
    step: (n, all) => `Grave-se · movimento ${n} de ${all}`,
    judged: "Aqui você vê se a câmera captou cada movimento. A revisão vem depois.",
    unseen: "Esta página grava e envia, sem ver se há um rosto; a revisão vem depois.",
    seen: "Visto!",
    moves: {
      look_straight: "Olhe para a frente, sem se mexer",
      turn_left: "Vire a cabeça para a sua esquerda",
      turn_right: "Vire a cabeça para a sua direita",
      look_up: "Levante o rosto para cima",
      blink: "Feche os olhos por um momento e abra-os",
      smile: "Sorria",
      open_mouth: "Abra a boca",
    },
    still: "Espere: olhe para a frente, sem se mexer",
    light: "A tela vai mudar de cor. Olhe de frente para ela, sem se mexer.",
    sending: "Enviando a gravação…",
    expired: "Esta tentativa venceu antes do envio. Vamos começar de novo.",
    absent:
      "A câmera não viu seu rosto, por isso nada foi enviado. Coloque seu rosto dentro do oval e comece de novo.",
    unusable: "A gravação não pôde ser usada. Vamos começar de novo.",
    unchanged:
      "A imagem da câmera não mudou durante os movimentos, por isso nada foi enviado. Verifique se a câmera mostra você, coloque seu rosto dentro do oval e faça cada movimento quando for pedido.",
    tooMany: "Não é mais possível repetir. Peça um novo link a quem enviou você para cá.",
  },

  waiting: {
    title: "Estamos verificando",
    lead: "Costuma levar alguns segundos. Você pode deixar esta página aberta.",
    elsewhere: "Falta uma etapa",
    elsewhereLead: (name) =>
      `Continue no aplicativo de ${name} para fazer o que falta. Você pode deixar esta página aberta.`,
    statuses: {
      PENDING: "a fazer",
      WAITING_INPUT: "falta algo seu",
      RUNNING: "em verificação",
      PASSED: "pronto",
      FAILED: "terminado",
      REVIEW: "pronto",
      SKIPPED: "não foi necessário",
    },
  },

  ended: {
    APPROVED: {
      title: "Sua identidade foi verificada",
      lead: (name) => `Você já pode continuar com ${name}.`,
    },
    REJECTED: {
      title: "Não pudemos verificar sua identidade",
      lead: (name) =>
        `${name} já foi avisado. Se você acha que é um erro, entre em contato: eles podem revisar.`,
    },
    MANUAL_REVIEW: {
      title: "Recebemos tudo",
      lead: (name) =>
        `Uma pessoa vai revisar e ${name} informará o resultado. Você não precisa fazer mais nada.`,
    },
    EXPIRED: {
      title: "O tempo acabou",
      lead: (name) => `Peça um novo link a ${name} para começar de novo.`,
    },
    canClose: "Você já pode fechar esta página.",
  },

  faults: {
    offline: {
      title: "Sem conexão",
      lead: "Verifique sua internet. O que você enviou está guardado.",
    },
    link: {
      title: "Este link não funciona mais",
      lead: "Ele venceu ou está incompleto. Volte para onde o recebeu e peça um novo.",
    },
    closed: {
      title: "Esta verificação já terminou",
      lead: "Não é preciso enviar mais nada.",
    },
    busy: {
      title: "Há muita gente neste momento",
      lead: "Você não precisa fazer nada: o que você fez continua aqui.",
    },
    file: {
      title: "Esse arquivo não pôde ser usado",
      lead: "Escolha uma foto JPEG, PNG ou WebP, ou um PDF, de até 10 MB.",
    },
    challenge: {
      title: "Os movimentos precisam recomeçar",
      lead: "A tentativa anterior já não está aberta.",
    },
    challenges: {
      title: "Não é mais possível repetir",
      lead: "Peça um novo link a quem enviou você para cá.",
    },
    server: {
      title: "Algo falhou do nosso lado",
      lead: "Não é por sua causa. Tente de novo em um momento.",
    },
    waiting: "Esperando a conexão…",
    again: (seconds) =>
      seconds === 1 ? "Tentamos de novo em um segundo." : `Tentamos de novo em ${seconds} segundos.`,
    reference: (id) => `Referência: ${id}`,
  },

  steps: {
    DOCUMENT_OCR: { name: "Seu documento" },
    FACE_MATCH: { name: "Seu rosto e o do seu documento" },
    LIVENESS: { name: "Que você é uma pessoa diante da câmera" },
    GOVERNMENT_VERIFY: {
      name: "Registros oficiais",
      discloses: "Seus dados são comparados com os registros oficiais (RENAPO, INE, SAT).",
    },
    CREDIT: {
      name: "Seu histórico de crédito",
      discloses: "Seu histórico de crédito é consultado em um birô de crédito.",
    },
    AML_SCREEN: { name: "Listas de pessoas bloqueadas" },
    LOCATION: { name: "De onde você se conecta" },
    OTP: { name: "Um código de confirmação" },
    FORM: { name: "Um formulário" },
    ESIGNATURE: { name: "Sua assinatura eletrônica" },
  },
  advice: {
    DOCUMENT_NOT_SUPPORTED:
      "Não conseguimos ler este documento. Use sua credencial do INE ou seu passaporte mexicano.",
    DOCUMENT_LAYOUT_UNKNOWN:
      "Não conhecemos este modelo de carteira. Use sua credencial do INE ou seu passaporte mexicano.",
    WRONG_DOCUMENT: "Este não é o documento pedido. Verifique qual é e tente de novo.",
    WRONG_SIDE: "Este é o outro lado. Vire o documento e tire a foto de novo.",
    DOCUMENT_EXPIRED: "Este documento venceu. Use um que esteja válido.",
    REQUIRED_FIELD_MISSING:
      "Este documento não mostra tudo o que precisamos. Mostre os dois lados ou use outro.",
    SEVERAL_DOCUMENTS: "Deixe um só documento na imagem e fotografe cada lado separadamente.",
    SCREEN_PHOTOGRAPHED: "Fotografe o próprio documento, não uma tela.",
    BLACK_AND_WHITE_COPY:
      "Fotografe seu documento original, em cores. Uma cópia em preto e branco não serve.",
    DOCUMENT_CUT_OFF: "Afaste um pouco a câmera: os quatro cantos devem aparecer.",
    IMAGE_TOO_SMALL: "Aproxime a câmera até que o documento preencha a imagem.",
    IMAGE_TOO_DARK: "Há pouca luz. Vá para perto de uma janela ou acenda uma lâmpada.",
    IMAGE_OVEREXPOSED: "Há luz demais. Desligue o flash e procure um pouco de sombra.",
    IMAGE_GLARE: "Evite o reflexo: incline um pouco o documento ou afaste-se da lâmpada.",
    IMAGE_BLURRED: "A imagem está tremida. Segure o telefone firme e espere o foco.",
    DOCUMENT_UNREADABLE: "Não conseguimos ler tudo. Tire outra foto, com boa luz e sem se mexer.",
    DOCUMENT_NOT_RECOGNIZED:
      "Não encontramos seu documento. Coloque-o em uma mesa lisa e preencha a imagem.",
    PAGE_NOT_RECOGNIZED: "Uma das fotos não mostra um documento que conhecemos. Tire-a de novo.",
    PAGE_NOT_CONFIRMED:
      "Não pudemos confirmar que esta página é sua. Tire outra foto, nítida e completa.",
    FIELDS_UNCERTAIN: "Alguns dados são difíceis de ler. Aproxime a câmera, com luz uniforme.",
    PORTRAIT_NOT_FOUND:
      "Não vemos a foto do seu documento. Mostre o lado com seu retrato, sem cobri-lo.",
    PORTRAIT_TOO_SMALL: "Aproxime a câmera do documento: seu retrato está pequeno demais.",
    PORTRAIT_BLURRED:
      "O retrato do documento está borrado. Segure o telefone firme e tente de novo.",
    FACE_NOT_FOUND: "Não vemos seu rosto. Olhe para a câmera, sem óculos escuros nem máscara.",
    SEVERAL_FACES: "Só você deve aparecer. Procure um lugar sem ninguém atrás de você.",
    FACE_TOO_SMALL: "Aproxime-se: seu rosto está pequeno demais na imagem.",
    FACE_BLURRED: "A imagem está borrada. Segure o telefone firme, com mais luz.",
    SELFIE_SHOWS_DOCUMENT: "Tire a foto de você, sem o documento na imagem.",
    LIVENESS_NOT_PROVEN: "Precisamos ver você ao vivo: abra a câmera e siga os movimentos.",
    LIVENESS_FACE_NOT_FOUND: "Mantenha o rosto inteiro na imagem até o fim, com boa luz.",
    LIVENESS_SEVERAL_FACES:
      "Só você deve aparecer. Procure um lugar onde esteja sem outras pessoas.",
    LIVENESS_FRAMES_DISORDERED:
      "Faça cada movimento uma vez, devagar, e volte a olhar para a frente.",
    LIVENESS_TOO_FAST: "Vá com calma: leia cada instrução e então faça o movimento.",
    LIVENESS_MOVE_NOT_SEEN: "Faça cada movimento com mais clareza, com o rosto bem iluminado.",
    LIVENESS_LIGHT_NOT_SEEN:
      "Aumente o brilho da tela, aproxime-se e procure um lugar com menos luz.",
    PICTURE_ASKED_AGAIN: "Tire a foto de novo: com boa luz, nítida e completa.",
  },
};

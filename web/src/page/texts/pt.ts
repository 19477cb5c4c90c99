import type { Texts } from "./es";
import { serverWords } from "./server/pt";

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
    leadPlain: "Leva cerca de dois minutos.",
    takenTitle: "O que é coletado",
    takenDocument:
      "Fotos do seu documento e o que ele diz: nome, data de nascimento, endereço, CURP e seus números.",
    takenFace:
      "Fotos do seu rosto, das quais se calculam medidas para compará-lo com o do seu documento. São dados biométricos.",
    takenFacePlain: "Fotos do seu rosto, das quais se calculam medidas. São dados biométricos.",
    takenBy: {
      PROOF_OF_ADDRESS:
        "Uma foto do seu comprovante de endereço e o que ele diz: nome, endereço e data.",
      OTP: "Seu telefone ou seu e-mail, para enviar um código.",
      FORM: "Suas respostas a um formulário.",
      LOCATION:
        "De onde você se conecta, pelo seu endereço IP, e a localização do seu dispositivo, se você permitir.",
    },
    takenDevice: "O endereço IP e o navegador em que você aceita, como registro.",
    whyTitle: "Para quê",
    why: (name) =>
      `Para que ${name} saiba que é você e que seu documento é válido, e para prevenir fraudes.`,
    whyPlain: (name) => `Para que ${name} saiba que é você, e para prevenir fraudes.`,
    keptTitle: "Por quanto tempo, e seus direitos",
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
    proofOfAddress: {
      title: "A parte com seu nome, endereço e data",
      short: "Comprovante de residência",
    },
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
      edges: "Não vemos suas quatro bordas: coloque-o sobre uma superfície lisa de outra cor",
      closer: "Aproxime mais",
      farther: "Afaste um pouco: o documento não cabe na moldura",
      level: "Segure o telefone plano e reto sobre o documento",
      still: "Não se mexa…",
      dark: "Está muito escuro: procure mais luz",
      glare: "Há um reflexo: incline um pouco o documento",
      blurred: "A imagem não está nítida: espere o foco",
      otherSide: "É o mesmo lado: vire o documento",
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
      glasses: "Tire os óculos escuros",
      still: "Não se mexa…",
      ready: "Assim! Não se mexa…",
    },
    taken: "Foto tirada",
    former: "A foto anterior",
    formerAlt: (what) => `Sua foto anterior: ${what}`,
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
    spent: "Já foram mostrados códigos demais. Siga neste computador.",
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
    skipLight: "Pular as cores",
    sending: "Enviando a gravação…",
    expired: "Esta tentativa venceu antes do envio. Vamos começar de novo.",
    absent:
      "A câmera não viu seu rosto, por isso nada foi enviado. Coloque seu rosto dentro do oval e comece de novo.",
    unusable: "A gravação não pôde ser usada. Vamos começar de novo.",
    unchanged:
      "A imagem da câmera não mudou durante os movimentos, por isso nada foi enviado. Verifique se a câmera mostra você, coloque seu rosto dentro do oval e faça cada movimento quando for pedido.",
    tooMany: "Não é mais possível repetir. Peça um novo link a quem enviou você para cá.",
  },

  code: {
    title: "Confirme que as mensagens chegam até você",
    lead: (name) => `${name} pede que você confirme um código de seis dígitos.`,
    choose: "Como você quer recebê-lo?",
    by: { sms: "Por mensagem de texto (SMS)", email: "Por e-mail" },
    to: { sms: "Seu telefone", email: "Seu e-mail" },
    toHint: {
      sms: "Com o código do país, como +52 55 1234 5678",
      email: "Como nome@correio.com",
    },
    known: {
      sms: "Enviamos para o telefone que você já informou.",
      email: "Enviamos para o e-mail que você já informou.",
    },
    wrongAddress: {
      sms: "Verifique o telefone: com +52 e dez dígitos, por exemplo.",
      email: "Verifique o e-mail: falta alguma coisa.",
    },
    send: "Enviar o código",
    often: (minutes) =>
      `Vários códigos já foram enviados. Espere ${minutes === 1 ? "um minuto" : `${minutes} minutos`} e tente de novo.`,
    refused: "Não é possível enviar para lá. Use outro.",
    enterTitle: "Digite o código",
    sentTo: (to) => `Enviamos para ${to}. Pode levar um minuto e vale por cinco.`,
    sent: {
      sms: "Enviamos para o seu telefone. Pode levar um minuto e vale por cinco.",
      email: "Enviamos para o seu e-mail. Pode levar um minuto e vale por cinco.",
    },
    code: "Código de seis dígitos",
    confirm: "Confirmar",
    digits: "O código tem seis dígitos.",
    wrong: (left) =>
      left === 1 ? "Não é esse o código. Resta uma tentativa." : `Não é esse o código. Restam ${left} tentativas.`,
    spent: "Este código não vale mais. Peça outro.",
    resend: "Enviar outro código",
    resendIn: (seconds) => `Enviar outro código (em ${seconds} s)`,
    resent: "Outro código foi enviado. O anterior não vale mais.",
    other: "Usar outro telefone ou e-mail",
    secret: "Ninguém vai pedi-lo por telefone nem por mensagem: não o compartilhe.",
  },

  form: {
    required: "obrigatório",
    choose: "Escolha uma opção",
    send: "Enviar",
    sum: (n) => (n === 1 ? "É preciso mudar uma resposta." : `É preciso mudar ${n} respostas.`),
    faults: {
      required: () => "Falta esta resposta.",
      unchecked: () => "É preciso marcar esta caixa.",
      not_an_option: () => "Escolha uma das opções.",
      not_a_date: () => "Digite uma data que exista.",
      too_short: (n) => `Digite pelo menos ${n} caracteres.`,
      too_long: (n) => `Digite no máximo ${n} caracteres.`,
      no_match: () => "Não tem a forma esperada. Verifique.",
    },
  },

  place: {
    title: "Onde está o seu dispositivo?",
    lead: (name) =>
      `${name} pede a localização do seu dispositivo para prevenir fraudes. Ela é medida uma só vez, agora.`,
    how: "O navegador vai perguntar se você permite.",
    free: (name) =>
      `Você pode dizer não. A verificação continua, e ${name} vê que você não a deu; talvez uma pessoa a analise.`,
    share: "Compartilhar minha localização",
    without: "Continuar sem compartilhar",
    measuring: "Medindo…",
    refused:
      "O navegador não permite a localização. Para permiti-la, use o cadeado ao lado do endereço ou os ajustes do telefone.",
    unavailable: "Não foi possível medir a localização. Ative a localização do dispositivo e tente de novo.",
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
    nextTitle: "O que acontece agora",
    next: {
      APPROVED: (name) => [`${name} já tem o resultado: você não precisa enviar mais nada.`],
      REJECTED: (name) => [
        `${name} decide o que acontece agora e pode pedir que uma pessoa revise.`,
        "Se entrar em contato, tenha à mão seu documento e a referência abaixo.",
      ],
      MANUAL_REVIEW: (name) => [
        "Uma pessoa compara suas fotos e seus dados.",
        `${name} avisa pelos meios que já usa com você. Esta página não precisa ficar aberta.`,
      ],
      EXPIRED: () => [
        "Nada foi decidido sobre o que você enviou desta vez.",
        "Com um novo link, você começa do início.",
      ],
    },
    helpTitle: "Dúvidas?",
    help: (name) => `Entre em contato com ${name} e informe esta referência:`,
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
      seconds === 1
        ? "Tentamos de novo em um segundo."
        : `Tentamos de novo em ${seconds < 120 ? `${seconds} segundos` : `${Math.ceil(seconds / 60)} minutos`}.`,
    reference: (id) => `Referência: ${id}`,
  },

  ...serverWords,
};
